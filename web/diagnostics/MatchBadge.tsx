import { matchTone } from './matchTone.ts'
import { Tag } from './Tag.tsx'

/** A match score from 0 to 100. */
export function MatchBadge({ score }: { score: number }) {
  return <Tag tone={matchTone(score)}>{score}% match</Tag>
}
