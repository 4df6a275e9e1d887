import { findReplacement, type Replacement } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { Button } from '../ui/Button.tsx'
import { Fact, Facts } from './Facts.tsx'
import { MatchBadge } from './MatchBadge.tsx'
import type { Wanted } from './SongForm.tsx'
import { type Search, SongSearch } from './SongSearch.tsx'
import { Tag } from './Tag.tsx'

interface ReplacementSearchProps extends Search {
  /** Called to verify the video that was found. */
  onVerify: (videoId: string) => void
}

/** The best matching video of a song (diagnostics-18). */
export function ReplacementSearch({ onVerify, ...search }: ReplacementSearchProps) {
  return (
    <SongSearch
      {...search}
      action="Find Replacement"
      ask={askForReplacement}
      missing="No Replacement Found"
      failure={{ title: 'Search Failed', what: 'Search failed' }}
    >
      {(replacement) => <Found replacement={replacement} onVerify={onVerify} />}
    </SongSearch>
  )
}

async function askForReplacement(body: Wanted) {
  const { success, replacement, message } = await call(findReplacement, { body })
  return { found: success ? replacement : null, message }
}

function Found({ replacement, onVerify }: { replacement: Replacement; onVerify: (videoId: string) => void }) {
  const { videoId, title, channelTitle, matchScore, embeddable } = replacement
  return (
    <div className="grid gap-3">
      <Facts>
        <Fact name="Video">
          <b className="font-semibold">{title}</b>
        </Fact>
        <Fact name="Channel">{channelTitle}</Fact>
        <Fact name="Video ID">
          <code>{videoId}</code>
        </Fact>
        <Fact name="Match">
          <MatchBadge score={matchScore} />
        </Fact>
        <Fact name="Embedding">
          <Tag tone={embeddable ? 'good' : 'poor'}>{embeddable ? 'Embeddable' : 'Not embeddable'}</Tag>
        </Fact>
      </Facts>
      <Button className="justify-self-start" onClick={() => onVerify(videoId)}>
        Verify this video
      </Button>
    </div>
  )
}
