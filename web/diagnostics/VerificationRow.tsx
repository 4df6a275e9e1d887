import { CircleCheck, CircleQuestionMark, CircleX } from 'lucide-react'
import { GOOD_MATCH, type VerifiedSong } from '../../contract/diagnostics.ts'
import { matchTone } from './matchTone.ts'
import { Tag, type Tone, toneLook } from './Tag.tsx'
import { type Outcome, outcomeOf } from './verificationRun.ts'

/** One result: in columns, on a phone stacked. */
export function VerificationRow({ song }: { song: VerifiedSong }) {
  const { title, artist, youtubeTitle, youtubeId, qualityScore, error } = song
  const outcome = outcomeOf(song)
  const { name, tone, icon: Icon } = outcomes[outcome]
  return (
    <div className="verification-row">
      <Icon
        role="img"
        aria-label={name}
        className={`size-5 max-wide:mt-1 ${toneLook(tone)}`}
        strokeWidth={1.75}
      />
      <div className="grid">
        <b dir="auto" className="truncate text-left font-semibold">
          {title}
        </b>
        <span dir="auto" className="truncate text-left text-xs text-ink-2">
          {artist}
        </span>
      </div>
      <b
        className={`text-right font-semibold tabular-nums wide:order-1 ${qualityScore === null ? 'text-ink-3' : toneLook(matchTone(qualityScore))}`}
      >
        {qualityScore === null ? '–' : `${qualityScore}%`}
      </b>
      <span
        dir="auto"
        className={`${below} text-left wrap-anywhere text-ink-2 empty:hidden wide:empty:block`}
      >
        {youtubeTitle !== null && youtubeTitle !== title ? youtubeTitle : null}
      </span>
      <code className={`${below} text-ink-3 wide:truncate`}>{youtubeId ?? 'no video'}</code>
      <span className={`${below} flex flex-wrap items-center gap-1.5 wide:order-2`}>
        <Tag tone={tone}>{name}</Tag>
        {song.titleMatch && <Tag>Title match</Tag>}
        {song.artistMatch && <Tag>Artist match</Tag>}
        {outcome === 'accessible' && qualityScore !== null && qualityScore < GOOD_MATCH && (
          <Tag tone="poor">Poor match</Tag>
        )}
        {error && <span className="text-xs text-ink-2 wrap-anywhere">{error}</span>}
      </span>
    </div>
  )
}

/** On a phone in the column of the title. */
const below = 'text-xs max-wide:col-start-2 max-wide:col-end-4'

const outcomes = {
  accessible: { name: 'Accessible', tone: 'good', icon: CircleCheck },
  blocked: { name: 'Blocked', tone: 'poor', icon: CircleX },
  missing: { name: 'Missing', tone: 'fair', icon: CircleQuestionMark },
} satisfies Record<Outcome, { name: string; tone: Tone; icon: unknown }>
