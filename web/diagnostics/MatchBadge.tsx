import { matchTone } from './matchTone.ts'
import { Tag } from './Tag.tsx'

/** How well something matches what was looked for, 0 to 100. */
export function MatchBadge({ score }: { score: number }) {
  return <Tag tone={matchTone(score)}>{score}% match</Tag>
}
