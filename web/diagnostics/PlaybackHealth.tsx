import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listPlaybackHealth, type SongHealth, verifySong } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { DiagnosticSection } from './DiagnosticSection.tsx'
import { explainWithStatus } from './explainFailure.ts'
import { Tag } from './Tag.tsx'
import { useOwnToast } from './useOwnToast.ts'

/** Videos that failed for most listeners, with a button to verify them again. */
export function PlaybackHealth() {
  const toast = useOwnToast()
  const { data, isError, refetch } = useQuery(query(listPlaybackHealth))
  return (
    <DiagnosticSection
      title="Playback health"
      words="Videos that failed in listeners' players in the last 30 days. One that failed for several listeners is blocked: its song begins with the preview until the video is verified again."
      className="desk:col-span-2"
    >
      {isError && <LoadFailure onRetry={() => void refetch()}>The playback health did not load.</LoadFailure>}
      {data?.length === 0 && <p className="text-ink-2">No video has failed.</p>}
      {data && data.length > 0 && (
        <ul aria-label="Failing videos" className="border-t border-line">
          {data.map((song) => (
            <HealthRow key={song.songId} song={song} toast={toast} />
          ))}
        </ul>
      )}
    </DiagnosticSection>
  )
}

interface HealthRowProps {
  song: SongHealth
  /** The list's, because a video that works takes its row away. */
  toast: ReturnType<typeof useOwnToast>
}

function HealthRow({ song, toast }: HealthRowProps) {
  const client = useQueryClient()
  const verify = useAction({
    mutationFn: () => call(verifySong, { params: { songId: song.songId } }),
    onSuccess({ embeddable, error }) {
      toast(
        embeddable
          ? {
              title: 'Video Can be Embedded',
              description: `${song.title} plays its video again.`,
              tone: 'success',
            }
          : {
              title: 'Video Cannot be Embedded',
              description: error ?? 'Status: Not accessible',
              tone: 'error',
            },
      )
      return client.invalidateQueries({ queryKey: query(listPlaybackHealth).queryKey })
    },
    onError: (error) =>
      toast({
        title: 'Verification Failed',
        description: explainWithStatus('Verification failed', error),
        tone: 'error',
      }),
  })
  return (
    <li className="health-row">
      <div className="grid min-w-0">
        <b dir="auto" className="truncate text-left font-semibold">
          {song.title}
        </b>
        <span dir="auto" className="truncate text-left text-xs text-ink-2">
          {song.artist}
        </span>
      </div>
      <span className="wide:order-4 wide:justify-self-end">
        {song.blocked ? <Tag tone="poor">Blocked</Tag> : <Tag tone="fair">Watched</Tag>}
      </span>
      <code className="text-xs text-ink-3 max-wide:col-span-2">{song.youtubeId}</code>
      <span className="text-xs text-ink-2 max-wide:col-span-2">
        {figures(song)} · {formatDate(song.lastReportedAt)}
      </span>
      <Button
        size="tight"
        className="justify-self-start wide:order-5"
        disabled={verify.isPending}
        aria-label={`Verify again: ${song.title}`}
        onClick={() => verify.mutate()}
      >
        Verify again
      </Button>
    </li>
  )
}

/** 'failed for 3 (150 × 3), played for 1, 2 previews'. */
function figures({ failed, errors, played, previews }: SongHealth): string {
  const codes = Object.entries(errors).map(([code, count]) => `${code} × ${count}`)
  const reasons = codes.length > 0 ? ` (${codes.join(', ')})` : ''
  return `failed for ${failed}${reasons}, played for ${played}, previews for ${previews}`
}
