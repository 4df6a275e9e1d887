import { Play, Square } from 'lucide-react'
import type { Song } from '../../contract/shapes.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { DiagnosticSection } from './DiagnosticSection.tsx'
import { Fact, Facts } from './Facts.tsx'
import { PreviewAvailability } from './PreviewAvailability.tsx'
import { Tag, type Tone } from './Tag.tsx'
import { type AudioTest, type Heard, useAudioTest } from './useAudioTest.ts'
import { useNextSample, useSamples } from './useSamples.ts'

/** Volume and length of the audio test (diagnostics-15). */
const SHORT_TEST = { volume: 0.5, seconds: 3 }

/** Volume and length of the working-preview test (diagnostics-15). */
const ROW_TEST = { volume: 0.3, seconds: 5 }

/** Facts about the sample song, and whether this browser can play it (diagnostics-14). */
export function AudioDebugPanel() {
  const { songs, microgenre, failed, retry } = useSamples()
  const test = useAudioTest()
  const song = songs?.[0]
  return (
    <DiagnosticSection
      title="Audio debug"
      words="A fixed sample song: what the catalogue knows of it, and whether its preview sounds here."
    >
      {failed && <LoadFailure onRetry={retry}>The sample song did not load.</LoadFailure>}
      {songs && !song && <p className="text-ink-2">The catalogue has no sample song.</p>}
      {song && <SampleFacts song={song} />}
      {microgenre && <NextSample microgenre={microgenre} />}
      <div className="flex flex-wrap gap-2">
        <Button disabled={!song || test.now !== null} onClick={() => song && test.run([song], SHORT_TEST)}>
          <Play {...icon} />
          Test Preview
        </Button>
        <Button disabled={!song || test.now !== null} onClick={() => songs && test.run(songs, ROW_TEST)}>
          <Play {...icon} />
          Test Working Previews
        </Button>
        <Button variant="bare" disabled={test.now === null} onClick={test.stop}>
          <Square {...icon} />
          Stop Audio
        </Button>
      </div>
      <p role="status" className="text-ink-2">
        {stateWords(test.now)}
      </p>
      {test.heard.length > 0 && <HeardList heard={test.heard} />}
      <PreviewAvailability />
    </DiagnosticSection>
  )
}

function SampleFacts({ song }: { song: Song }) {
  return (
    <Facts>
      <Fact name="Sample song">
        <b className="font-semibold">{song.title}</b> by {song.artist}
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
  const next = useNextSample(microgenre.id)
  return (
    <p className="text-xs text-ink-2">
      Next for you in {microgenre.name}:{' '}
      {next === undefined
        ? '…'
        : next === null
          ? 'nothing. The microgenre is complete, or the server did not answer.'
          : `${next.title} by ${next.artist}`}
    </p>
  )
}

function HeardList({ heard }: { heard: readonly Heard[] }) {
  return (
    <ul aria-label="Previews heard" className="border-t border-line">
      {heard.map(({ song, outcome, words }) => (
        <li key={song.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
          <span className="min-w-0 flex-1">
            <b className="font-semibold">{song.title}</b> by {song.artist}
            {words && <span className="block text-xs text-ink-2">{words}</span>}
          </span>
          <Tag tone={outcomes[outcome].tone}>{outcomes[outcome].name}</Tag>
        </li>
      ))}
    </ul>
  )
}

const outcomes = {
  played: { name: 'Played', tone: 'good' },
  blocked: { name: 'Blocked by the browser', tone: 'fair' },
  failed: { name: 'Could not be played', tone: 'poor' },
  none: { name: 'No preview', tone: 'poor' },
} satisfies Record<Heard['outcome'], { name: string; tone: Tone }>

function stateWords(now: AudioTest['now']): string {
  if (now === null) return 'Idle'
  const { title, artist } = now.song
  return now.doing === 'playing'
    ? `Playing the preview of ${title} by ${artist}`
    : `Looking for a preview of ${title} by ${artist}`
}

const icon = { className: 'size-5', strokeWidth: 1.75, 'aria-hidden': true } as const
