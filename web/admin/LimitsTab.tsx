import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clearLimit, listLimits, type ReachedLimit } from '../../contract/admin.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { DiagnosticRow, DiagnosticSection, Fact, Facts } from '../diagnostics/DiagnosticFrame.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'

type Limits = ResponseOf<typeof listLimits>

/** Who has reached a limit, and what the limits are (accounts-6). */
export function LimitsTab() {
  const limits = useQuery({ ...query(listLimits), refetchOnMount: 'always' })
  if (limits.isError) return <LoadFailure onRetry={limits.refetch}>The limits did not load.</LoadFailure>
  if (!limits.data) return <p className="text-ink-2">Looking for limits...</p>
  return (
    <div className="grid gap-8">
      <DiagnosticSection title="Reached" description="Whose next use would be refused.">
        {limits.data.reached.length === 0 ? (
          <p className="text-ink-2">Nobody has reached a limit.</p>
        ) : (
          <ul aria-label="Reached limits">
            {limits.data.reached.map((each) => (
              <ReachedRow key={each.id} reached={each} />
            ))}
          </ul>
        )}
      </DiagnosticSection>
      <DiagnosticSection title="Limits" description="Counted in the database, over all server processes.">
        <Facts>
          {limits.data.limits.map(({ name, counts, per, max, seconds }) => (
            <Fact key={name} name={counts}>
              {`${max.toLocaleString()} in ${formatDuration(seconds)}, ${PER_LABELS[per]}`}
            </Fact>
          ))}
        </Facts>
      </DiagnosticSection>
      <Quotas {...limits.data} />
    </div>
  )
}

function ReachedRow({ reached }: { reached: ReachedLimit }) {
  const { id, counts, who, used, max, until } = reached
  const owner = who === 'all' ? 'All together' : who
  const queryClient = useQueryClient()
  const clearing = useMutation({
    mutationFn: () => call(clearLimit, { params: { limit: id } }),
    onSuccess: () => toast({ title: 'Limit cleared', description: `${owner}: ${counts}`, tone: 'success' }),
    onError: (error) => toast.error(refusalMessage(error) ?? 'The limit was not cleared. Please try again.'),
    // Also after a failure: the limit may be over.
    onSettled: () => queryClient.invalidateQueries({ queryKey: query(listLimits).queryKey }),
  })
  return (
    <DiagnosticRow
      title={<bdi>{owner}</bdi>}
      facts={[
        counts,
        `${used.toLocaleString()} of ${max.toLocaleString()}`,
        <>
          until <time dateTime={until}>{new Date(until).toLocaleString()}</time>
        </>,
      ]}
    >
      <Button
        size="tight"
        aria-label={`Clear the limit of ${owner}: ${counts}`}
        pending={clearing.isPending}
        onClick={() => clearing.mutate()}
      >
        Clear
      </Button>
    </DiagnosticRow>
  )
}

function Quotas({ quotas, searches }: Pick<Limits, 'quotas' | 'searches'>) {
  const { callsPerMinute, uploadBytes, storedBytes, suggestions, suggestionsOfNew } = quotas
  return (
    <DiagnosticSection title="Other limits" description="These cannot be cleared here.">
      <Facts>
        <Fact name="calls">
          {`${callsPerMinute.toLocaleString()} a minute of a listener or a network, in each process`}
        </Fact>
        <Fact name="one upload">{formatSize(uploadBytes)}</Fact>
        <Fact name="files of a listener">{formatSize(storedBytes)}</Fact>
        <Fact name="suggestions">
          {`${suggestions} in 24 hours, ${suggestionsOfNew} of an account in its first week`}
        </Fact>
        {searches && (
          <Fact name="searches on YouTube">
            {`${searches.max} a day of all together, ${searches.used} used since midnight in California`}
          </Fact>
        )}
      </Facts>
    </DiagnosticSection>
  )
}

function formatDuration(seconds: number): string {
  const [length, unit] =
    seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [Math.round(seconds / 60), 'minute']
  return length === 1 ? `one ${unit}` : `${length} ${unit}s`
}

const formatSize = (bytes: number) => `${Math.round(bytes / 2 ** 20).toLocaleString()} MiB`

const PER_LABELS = {
  listener: 'for each listener',
  address: 'for each e-mail address',
  network: 'for each network',
  all: 'for all together',
} satisfies Record<Limits['limits'][number]['per'], string>
