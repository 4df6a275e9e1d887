import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getSamples, testPreviewAvailability } from '../../contract/diagnostics.ts'
import { getNextSong } from '../../contract/discovery.ts'
import { songName } from '../../contract/isolateName.ts'
import { searchPreview } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Play, Square } from '../ui/laterIcons.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { DiagnosticSection, Fact, Facts, Tag, type Tone } from './DiagnosticFrame.tsx'
import { explainFailure, sleep, useAbortableRun, useTool } from './useTool.ts'

/** Volume and length of the audio test (diagnostics-15). */
const SINGLE_TEST = { volume: 0.5, seconds: 3 }

/** Volume and length of the working-preview test (diagnostics-15). */
const LIST_TEST = { volume: 0.3, seconds: 5 }

/** Facts about the sample song, and whether this browser can play it (diagnostics-14). */
export function AudioDebugPanel() {
  const { data, isError, refetch } = useQuery(query(getSamples))
  const { songs, microgenre } = data ?? {}
  const test = useAudioTest()
  const song = songs?.[0]
  return (
    <DiagnosticSection
      title="Audio debug"
      description="A fixed sample song: what the catalogue knows about it, and whether its preview plays in this browser."
    >
      {isError && <LoadFailure onRetry={refetch}>The sample song did not load.</LoadFailure>}
      {songs && !song && <p className="text-ink-2">The catalogue has no sample song.</p>}
      {song && <SampleFacts song={song} />}
      {microgenre && <NextSample microgenre={microgenre} />}
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={!song || test.current !== null}
          onClick={() => song && test.run([song], SINGLE_TEST)}
        >
          <Play />
          Test Preview
        </Button>
        <Button disabled={!song || test.current !== null} onClick={() => songs && test.run(songs, LIST_TEST)}>
          <Play />
          Test Working Previews
        </Button>
        <Button variant="bare" disabled={test.current === null} onClick={test.stop}>
          <Square />
          Stop Audio
        </Button>
      </div>
      <p role="status" className="text-ink-2">
        {statusText(test.current)}
      </p>
      {test.results.length > 0 && <ResultList results={test.results} />}
      <PreviewAvailability />
    </DiagnosticSection>
  )
}

function SampleFacts({ song }: { song: Song }) {
  return (
    <Facts>
      <Fact name="Sample song">
        <bdi className="font-semibold">{song.title}</bdi> by <bdi>{song.artist}</bdi>
      </Fact>
      <Fact name="Microgenre">{song.microgenre}</Fact>
      <Fact name="YouTube video">{song.youtubeId && <code className="text-xs">{song.youtubeId}</code>}</Fact>
      <Fact name="Spotify track">{song.spotifyId && <code className="text-xs">{song.spotifyId}</code>}</Fact>
      <Fact name="Known preview">
        {song.deezerId ? 'yes' : 'none yet; it is looked up when it is played'}
      </Fact>
    </Facts>
  )
}

function NextSample({ microgenre }: { microgenre: { id: string; name: string } }) {
  const { data: next } = useQuery({
    queryKey: [getNextSong.path, { sample: microgenre.id }],
    queryFn: ({ signal }) => getNextSample(microgenre.id, signal).catch(() => null),
  })
  return (
    <p className="text-xs text-ink-2">
      Next for you in {microgenre.name}:{' '}
      {next === undefined
        ? '…'
        : next === null
          ? 'nothing. The microgenre is complete, or the server did not answer.'
          : songName(next)}
    </p>
  )
}

/** The next song of the listener in the microgenre; null when there is none (diagnostics-14). */
async function getNextSample(id: string, signal: AbortSignal): Promise<Song | null> {
  const response = await call(getNextSong, { params: { id } }, { signal })
  return 'songs' in response ? (response.songs[0] ?? null) : response
}

function ResultList({ results }: { results: readonly PreviewResult[] }) {
  return (
    <ul aria-label="Previews heard" className="border-t border-line">
      {results.map(({ song, outcome, reason }) => (
        <li key={song.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
          <span className="min-w-0 flex-1">
            <bdi className="font-semibold">{song.title}</bdi> by <bdi>{song.artist}</bdi>
            {reason && <span className="block text-xs text-ink-2">{reason}</span>}
          </span>
          <Tag tone={outcomeLabels[outcome].tone}>{outcomeLabels[outcome].name}</Tag>
        </li>
      ))}
    </ul>
  )
}

const outcomeLabels = {
  played: { name: 'Played', tone: 'good' },
  blocked: { name: 'Blocked by the browser', tone: 'fair' },
  failed: { name: 'Could not be played', tone: 'poor' },
  none: { name: 'No preview', tone: 'poor' },
} satisfies Record<PreviewResult['outcome'], { name: string; tone: Tone }>

function statusText(current: AudioTest['current']): string {
  if (current === null) return 'Idle'
  const { title, artist } = current.song
  return current.step === 'playing'
    ? `Playing the preview of ${songName({ title, artist })}`
    : `Looking for a preview of ${songName({ title, artist })}`
}

/** How many of eight fixed tracks have a preview (diagnostics-15). */
function PreviewAvailability() {
  const test = useTool({
    mutationFn: () => call(testPreviewAvailability),
    failure: { title: 'Test Failed', what: 'Preview availability test failed' },
  })
  const summary = test.data
  return (
    <>
      <Button className="justify-self-start" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? 'Testing 8 tracks ...' : 'Test Preview Availability'}
      </Button>
      <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {summary && (
          <>
            <Facts>
              <Fact name="Tracks found">{summary.tracksFound}</Fact>
              <Fact name="Tracks with previews">{summary.tracksWithPreviews}</Fact>
              <Fact name="Preview rate">{summary.previewRate}%</Fact>
            </Facts>
            <ul aria-label="Tracks" className="grid gap-x-8 wide:grid-cols-2">
              {summary.tracks?.map(({ title, artist, found, hasPreview }) => (
                <li key={`${artist}/${title}`} className="flex items-center gap-3 py-1 text-xs">
                  <span className="min-w-0 flex-1 wrap-anywhere">
                    <bdi>{title}</bdi>{' '}
                    <span className="text-ink-2">
                      by <bdi>{artist}</bdi>
                    </span>
                  </span>
                  <Tag tone={hasPreview ? 'good' : 'poor'}>
                    {hasPreview ? 'Preview' : found ? 'No preview' : 'Not found'}
                  </Tag>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

/** The result for one song. */
interface PreviewResult {
  song: Song
  outcome: PlayOutcome | 'none'
  /** Why there was nothing to play. */
  reason: string | null
}

interface AudioTest {
  /** Null when idle. */
  current: { song: Song; step: 'searching' | 'playing' } | null
  results: readonly PreviewResult[]
  /** Plays the previews of these songs one after the other. */
  run(songs: readonly Song[], options: PlayOptions): void
  stop(): void
}

/** Idle, then playing a preview, then stopped automatically (diagnostics-15). */
function useAudioTest(): AudioTest {
  const [current, setCurrent] = useState<AudioTest['current']>(null)
  const [results, setResults] = useState<readonly PreviewResult[]>([])
  const { start, stop } = useAbortableRun()

  async function play(songs: readonly Song[], options: PlayOptions, signal: AbortSignal) {
    for (const song of songs) {
      setCurrent({ song, step: 'searching' })
      const { address, reason } = await findPreview(song, signal)
      if (signal.aborted) return
      const outcome = address
        ? await playFor(address, options, signal, () => setCurrent({ song, step: 'playing' }))
        : 'none'
      if (signal.aborted) return
      setResults((previous) => [...previous, { song, outcome, reason }])
    }
    setCurrent(null)
  }

  return {
    current,
    results,
    run(songs, options) {
      setResults([])
      void play(songs, options, start())
    },
    stop() {
      stop()
      setCurrent(null)
    },
  }
}

async function findPreview(
  { id, title, artist }: Song,
  signal: AbortSignal,
): Promise<{ address: string | null; reason: string | null }> {
  try {
    const query = { artist: artist.slice(0, 200), title: title.slice(0, 200), songId: id }
    const { result, message } = await call(searchPreview, { query }, { signal })
    return { address: result?.previewUrl ?? null, reason: message }
  } catch (error) {
    return { address: null, reason: explainFailure('The preview was not looked up', error) }
  }
}

interface PlayOptions {
  /** 0 to 1. */
  volume: number
  seconds: number
}

/** `blocked`: the browser needs a gesture first. `failed`: the address cannot be played. */
type PlayOutcome = 'played' | 'blocked' | 'failed'

/** Plays the start of a sound, until its time is over or `signal` aborts. */
async function playFor(
  address: string,
  { volume, seconds }: PlayOptions,
  signal: AbortSignal,
  onPlaying: () => void,
): Promise<PlayOutcome> {
  const audio = new Audio(address)
  audio.volume = volume
  const close = () => {
    audio.pause()
    audio.removeAttribute('src')
    audio.load()
  }
  signal.addEventListener('abort', close)
  try {
    await audio.play()
    onPlaying()
    await sleep(seconds * 1000, signal)
    return 'played'
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotAllowedError' ? 'blocked' : 'failed'
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}
