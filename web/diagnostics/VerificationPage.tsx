import { useMemo, useRef, useState } from 'react'
import {
  MAX_VERIFICATION_BATCH,
  MIN_MATCH_SCORE,
  matchLevel,
  type VerificationStats,
  type VerifiedSong,
} from '../../contract/diagnostics.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { CircleCheck, CircleQuestionMark, CircleX, Download, Play, Square } from '../ui/laterIcons.ts'
import { LongList } from '../ui/page/LongList.tsx'
import type { Toast } from '../ui/toast.ts'
import { DiagnosticFrame, Tag, type Tone, toneClasses } from './DiagnosticFrame.tsx'
import { useAbortableRun, useScopedToast } from './useTool.ts'
import {
  getOutcome,
  idleRun,
  nextRun,
  type Outcome,
  startedRun,
  type VerificationRun,
  verificationCsv,
  verificationFileName,
  verifyCatalogue,
} from './verificationRun.ts'

/** The verification center (diagnostics-2). */
export function VerificationPage() {
  const { run, start, stop } = useVerificationRun()
  const isRunning = run.phase === 'running'
  return (
    <DiagnosticFrame
      title="Audio Verification Center"
      description="Asks YouTube about the video of every song, 20 at a time and a second apart. Songs are not changed."
      actions={
        <>
          <Button variant={isRunning ? 'outline' : 'main'} disabled={isRunning} onClick={start}>
            <Play />
            Start Verification
          </Button>
          <Button variant={isRunning ? 'main' : 'outline'} disabled={!isRunning} onClick={stop}>
            <Square />
            Stop
          </Button>
          <Button
            disabled={run.results.length === 0}
            onClick={() => downloadText(verificationFileName(new Date()), verificationCsv(run.results))}
          >
            <Download />
            Export Results
          </Button>
        </>
      }
    >
      <VerificationProgress run={run} />
      <VerificationCounters stats={run.stats} />
      <VerificationResults results={run.results} isRunning={isRunning} />
    </DiagnosticFrame>
  )
}

/** The last batch, the progress, and the phase. */
function VerificationProgress({ run }: { run: VerificationRun }) {
  return (
    <div className="grid gap-2 pt-6 pb-6">
      <div className="flex items-baseline justify-between gap-4">
        <p>
          {batchLabel(run)}
          <span className="text-ink-2"> · {phaseLabels[run.phase]}</span>
        </p>
        <span className="text-ink-2 tabular-nums">{run.progress}%</span>
      </div>
      <div
        role="progressbar"
        aria-label="Verification"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={run.progress}
        aria-valuetext={`${batchLabel(run)}, ${run.progress}%`}
        className="h-1.5 bg-line"
      >
        <div className="h-full bg-ink" style={{ width: `${run.progress}%` }} />
      </div>
      {run.failure !== null && (
        <p className="text-ink-2">
          <b className="font-semibold text-danger">Stopped.</b> {run.failure.reason} What was checked so far
          is below; start again when the problem is fixed.
        </p>
      )}
    </div>
  )
}

const phaseLabels = {
  idle: 'not started',
  running: 'running',
  stopped: 'stopped',
  completed: 'completed',
} satisfies Record<VerificationRun['phase'], string>

function batchLabel({ batch, songCount }: VerificationRun): string {
  if (songCount === null) return `Batch ${batch}`
  return `Batch ${batch} of ${Math.max(1, Math.ceil(songCount / MAX_VERIFICATION_BATCH))}`
}

/** The six counters of a run (diagnostics-3). */
function VerificationCounters({ stats }: { stats: VerificationStats }) {
  return (
    <dl className="grid grid-cols-3 border-y border-line wide:grid-cols-6">
      {counters.map(({ of, name, tone }) => (
        <div
          key={of}
          className="flex flex-col-reverse border-line px-3 py-3 not-first:border-l max-wide:nth-[3n+1]:pl-0 nth-[4]:border-l-0 nth-[n+4]:border-t wide:border-t-0! wide:px-4 wide:first:pl-0 wide:nth-[4]:border-l!"
        >
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd
            className={`font-display text-xl font-extrabold tracking-[-0.02em] tabular-nums font-stretch-115% ${stats[of] > 0 ? toneClasses[tone] : ''}`}
          >
            {stats[of].toLocaleString()}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const counters: { of: keyof VerificationStats; name: string; tone: Tone }[] = [
  { of: 'total', name: 'Total', tone: 'plain' },
  { of: 'accessible', name: 'Accessible', tone: 'good' },
  { of: 'blocked', name: 'Blocked', tone: 'poor' },
  { of: 'missing', name: 'Missing', tone: 'fair' },
  { of: 'goodMatches', name: 'Good Matches', tone: 'plain' },
  { of: 'poorMatches', name: 'Poor Matches', tone: 'plain' },
]

/** The results so far, all or by outcome, with counts. */
function VerificationResults({
  results,
  isRunning,
}: {
  results: readonly VerifiedSong[]
  isRunning: boolean
}) {
  const [tab, setTab] = useState<'all' | Outcome>('all')
  const lists = useMemo(() => groupByOutcome(results), [results])
  return (
    <Tabs value={tab} onValueChange={(value) => setTab(value as typeof tab)} className="mt-8">
      <TabList label="Results">
        {tabs.map(({ value, name }) => (
          <Tab key={value} value={value}>
            {name} ({lists[value].length.toLocaleString()})
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ value, name, empty }) => (
        <TabPanel key={value} value={value} className="-mt-5">
          {lists[value].length === 0 ? (
            <p className="pt-5 text-ink-2">
              {results.length > 0 ? empty : isRunning ? 'Checking ...' : NOTHING_CHECKED}
            </p>
          ) : (
            <LongList
              label={`${name} results`}
              items={lists[value]}
              keyOf={({ songId }) => songId}
              row={(song) => <VerificationRow song={song} />}
            />
          )}
        </TabPanel>
      ))}
    </Tabs>
  )
}

const NOTHING_CHECKED = 'Nothing checked yet. Every song that was checked will be listed here.'

const tabs = [
  { value: 'all', name: 'All', empty: NOTHING_CHECKED },
  { value: 'accessible', name: 'Accessible', empty: 'No video so far can be played.' },
  { value: 'blocked', name: 'Blocked', empty: 'No video so far is blocked.' },
  { value: 'missing', name: 'Missing', empty: 'Every song so far has a video.' },
] as const

function groupByOutcome(results: readonly VerifiedSong[]): Record<'all' | Outcome, readonly VerifiedSong[]> {
  const groups: Record<Outcome, VerifiedSong[]> = { accessible: [], blocked: [], missing: [] }
  for (const result of results) groups[getOutcome(result)].push(result)
  return { all: results, ...groups }
}

/** One result: in columns, on a phone stacked. */
function VerificationRow({ song }: { song: VerifiedSong }) {
  const { title, artist, youtubeTitle, youtubeId, qualityScore, error } = song
  const outcome = getOutcome(song)
  const { name, tone, icon: Icon } = outcomeLabels[outcome]
  return (
    <div className="grid grid-cols-[1.25rem_minmax(0,1fr)_3.5rem] items-start gap-x-4 gap-y-1 py-2 wide:min-h-14 wide:grid-cols-[1.25rem_minmax(0,1fr)_minmax(0,1fr)_7rem_3.5rem_minmax(0,1fr)] wide:items-center wide:py-1.5">
      <Icon role="img" aria-label={name} className={`size-5 max-wide:mt-1 ${toneClasses[tone]}`} />
      <div className="grid">
        <b dir="auto" className="truncate text-left font-semibold">
          {title}
        </b>
        <span dir="auto" className="truncate text-left text-xs text-ink-2">
          {artist}
        </span>
      </div>
      <b
        className={`text-right font-semibold tabular-nums wide:order-1 ${qualityScore === null ? 'text-ink-3' : toneClasses[matchLevel(qualityScore)]}`}
      >
        {qualityScore === null ? '–' : `${qualityScore}%`}
      </b>
      <span
        dir="auto"
        className={`${detailClass} text-left wrap-anywhere text-ink-2 empty:hidden wide:empty:block`}
      >
        {youtubeTitle !== null && youtubeTitle !== title ? youtubeTitle : null}
      </span>
      <code className={`${detailClass} text-ink-3 wide:truncate`}>{youtubeId ?? 'no video'}</code>
      <span className={`${detailClass} flex flex-wrap items-center gap-1.5 wide:order-2`}>
        <Tag tone={tone}>{name}</Tag>
        {song.titleMatch && <Tag>Title match</Tag>}
        {song.artistMatch && <Tag>Artist match</Tag>}
        {outcome === 'accessible' && qualityScore !== null && qualityScore < MIN_MATCH_SCORE && (
          <Tag tone="poor">Poor match</Tag>
        )}
        {error && <span className="text-xs text-ink-2 wrap-anywhere">{error}</span>}
      </span>
    </div>
  )
}

/** On a phone below the title. */
const detailClass = 'text-xs max-wide:col-start-2 max-wide:col-end-4'

const outcomeLabels = {
  accessible: { name: 'Accessible', tone: 'good', icon: CircleCheck },
  blocked: { name: 'Blocked', tone: 'poor', icon: CircleX },
  missing: { name: 'Missing', tone: 'fair', icon: CircleQuestionMark },
} satisfies Record<Outcome, { name: string; tone: Tone; icon: unknown }>

/** The run of this page. */
function useVerificationRun(): { run: VerificationRun; start: () => void; stop: () => void } {
  const toast = useScopedToast()
  const [run, setRun] = useState(idleRun)
  const { start, stop } = useAbortableRun()
  const lastRun = useRef<Promise<void>>(Promise.resolve())

  async function runVerification(signal: AbortSignal) {
    let currentRun = startedRun
    for await (const event of verifyCatalogue(signal)) {
      if (signal.aborted) return
      currentRun = nextRun(currentRun, event)
      setRun(currentRun)
    }
    const end = signal.aborted ? null : runEndToast(currentRun)
    if (end) toast(end)
  }

  return {
    run,
    start() {
      const signal = start()
      setRun(startedRun)
      lastRun.current = lastRun.current.then(() => (signal.aborted ? undefined : runVerification(signal)))
    },
    stop() {
      stop()
      setRun((currentRun) => nextRun(currentRun, { type: 'stopped' }))
    },
  }
}

/** The two automatic ends (diagnostics-10). */
function runEndToast({ phase, failure, stats }: VerificationRun): Toast | null {
  if (failure !== null)
    return {
      title: 'Verification Failed',
      description: `${failure.what}: ${failure.reason}`,
      tone: 'error',
    }
  if (phase !== 'completed') return null
  return {
    title: 'Verification Complete',
    description: `Processed ${stats.total} songs: ${stats.accessible} accessible, ${stats.blocked} blocked.`,
    tone: 'success',
    duration: 4000,
  }
}

/** Downloads a text as a file. */
function downloadText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
