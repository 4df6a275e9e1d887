import { useMutation } from '@tanstack/react-query'
import { findReplacement, type Replacement } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { explainWithStatus } from './explainFailure.ts'
import { Fact, Facts } from './Facts.tsx'
import { MatchBadge } from './MatchBadge.tsx'
import { NotFound } from './NotFound.tsx'
import { SongForm, type Wanted } from './SongForm.tsx'
import { Tag } from './Tag.tsx'

interface ReplacementSearchProps {
  wanted: Wanted
  onChange: (wanted: Wanted) => void
  /** The found video is to be verified. */
  onVerify: (videoId: string) => void
}

/** Another video of a song, the one that matches best (spec §3). */
export function ReplacementSearch({ wanted, onChange, onVerify }: ReplacementSearchProps) {
  const search = useMutation({
    mutationFn: (body: Wanted) => call(findReplacement, { body }),
    onError: (error) =>
      toast({
        title: 'Search Failed',
        description: explainWithStatus('Search failed', error),
        tone: 'error',
      }),
  })
  const found = search.data?.success ? search.data.replacement : null
  return (
    <>
      <SongForm
        wanted={wanted}
        onChange={onChange}
        onSearch={search.mutate}
        searching={search.isPending}
        action="Find Replacement"
      />
      <div aria-live="polite" className="empty:hidden">
        {found && <Found replacement={found} onVerify={onVerify} />}
        {search.data && !found && <NotFound title="No Replacement Found">{search.data.message}</NotFound>}
      </div>
    </>
  )
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
