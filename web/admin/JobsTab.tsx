import { useQuery } from '@tanstack/react-query'
import { type Job, listJobs } from '../../contract/admin.ts'
import { query } from '../api/query.ts'
import { DiagnosticRow, DiagnosticSection } from '../diagnostics/DiagnosticFrame.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'

/** What the server does by itself, and how it ended (accounts-9). */
export function JobsTab() {
  const jobs = useQuery({ ...query(listJobs), refetchOnMount: 'always' })
  if (jobs.isError) return <LoadFailure onRetry={jobs.refetch}>The jobs did not load.</LoadFailure>
  if (!jobs.data) return <p className="text-ink-2">Looking for jobs...</p>
  return (
    <DiagnosticSection
      title="Jobs"
      description="What the server does by itself, each in one process at a time."
    >
      <ul aria-label="Jobs">
        {jobs.data.map((job) => (
          <DiagnosticRow key={job.name} title={job.name} facts={[lastSuccess(job), ...state(job)]} />
        ))}
      </ul>
    </DiagnosticSection>
  )
}

const lastSuccess = ({ succeededAt, duration }: Job) =>
  succeededAt === null
    ? 'no success yet'
    : `done ${new Date(succeededAt).toLocaleString()}${duration === null ? '' : ` in ${(duration / 1000).toLocaleString()} s`}`

function state({ running, startedAt, nextRunAt, failures, failedAt, error }: Job): string[] {
  const next =
    running && startedAt
      ? `running since ${new Date(startedAt).toLocaleString()}`
      : `next ${new Date(nextRunAt).toLocaleString()}`
  if (failures === 0 || failedAt === null) return [next]
  return [next, `failed ${failures} times, last ${new Date(failedAt).toLocaleString()}: ${error ?? ''}`]
}
