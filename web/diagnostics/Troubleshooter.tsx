import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getSamples, verifyVideo } from '../../contract/diagnostics.ts'
import { songName } from '../../contract/isolateName.ts'
import { searchPreview } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { config } from '../api/config.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CircleCheck, CircleDashed, CircleX } from '../ui/laterIcons.ts'
import { Spinner } from '../ui/page/Loading.tsx'
import { DiagnosticSection, type Tone, toneClasses } from './DiagnosticFrame.tsx'
import { explainFailure } from './useTool.ts'

/** Checks the sample song from the catalogue to this browser, and explains the player's errors (diagnostics-14). */
export function Troubleshooter() {
  const samples = useQuery(query(getSamples))
  const [results, setResults] = useState<CheckResult[]>([])
  const running = useMutation({
    async mutationFn() {
      setResults([])
      for (const { run } of checks) {
        const result = await run(samples.data?.songs[0])
        setResults((previous) => [...previous, result])
      }
    },
  })
  return (
    <DiagnosticSection
      title="Troubleshooter"
      description="Checks each step of the sample song from the catalogue to this browser."
    >
      <Button
        variant="main"
        className="justify-self-start"
        disabled={running.isPending}
        onClick={() => running.mutate()}
      >
        {running.isPending ? 'Checking ...' : 'Run Checks'}
      </Button>
      <ul aria-label="Checks" aria-live="polite" className="border-t border-line">
        {checks.map(({ name }, index) => (
          <CheckRow
            key={name}
            name={name}
            result={results[index]}
            isRunning={running.isPending && results.length === index}
          />
        ))}
      </ul>
      <h3 className="pt-2">Error codes of the video player</h3>
      <dl className="border-t border-line">
        {playerErrors.map(([code, meaning, reaction]) => (
          <div
            key={code}
            className="grid grid-cols-[3rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-line py-2"
          >
            <dt className="font-semibold tabular-nums">{code}</dt>
            <dd>
              {meaning} <span className="text-ink-2">{reaction}</span>
            </dd>
          </div>
        ))}
      </dl>
    </DiagnosticSection>
  )
}

interface CheckRowProps {
  name: string
  result: CheckResult | undefined
  isRunning: boolean
}

function CheckRow({ name, result, isRunning }: CheckRowProps) {
  const label = result ? stateLabels[result.state] : null
  const Icon = label?.icon ?? CircleDashed
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 border-b border-line py-2">
      {isRunning ? (
        <Spinner className="mt-0.5 size-5" />
      ) : (
        <Icon
          role="img"
          aria-label={label?.name ?? 'Not checked'}
          className={`mt-0.5 size-5 ${label ? toneClasses[label.tone] : 'text-ink-3'}`}
        />
      )}
      <div>
        {name}
        {result && <span className="block text-xs text-ink-2">{result.detail}</span>}
      </div>
    </li>
  )
}

const stateLabels = {
  fine: { name: 'Fine', tone: 'good', icon: CircleCheck },
  trouble: { name: 'Trouble', tone: 'poor', icon: CircleX },
  skipped: { name: 'Skipped', tone: 'plain', icon: CircleDashed },
} satisfies Record<CheckResult['state'], { name: string; tone: Tone; icon: unknown }>

interface CheckResult {
  state: 'fine' | 'trouble' | 'skipped'
  /** The finding, and what to do about a problem. */
  detail: string
}

/** What a song needs to play, from the catalogue to the loudspeaker. */
const checks: { name: string; run: (song: Song | undefined) => Promise<CheckResult> }[] = [
  { name: 'A song comes from the catalogue', run: checkCatalogue },
  { name: 'This browser reaches YouTube', run: checkYoutube },
  { name: 'The video may be embedded', run: checkVideo },
  { name: 'There is a preview to fall back on', run: checkPreview },
  { name: 'This browser plays MP3', run: checkBrowser },
]

async function checkCatalogue(song: Song | undefined): Promise<CheckResult> {
  if (song) return fine(songName(song))
  return trouble('There is no song. Is the server up, and the catalogue loaded?')
}

/** Loads a thumbnail directly from YouTube's image host. */
function checkYoutube(song: Song | undefined): Promise<CheckResult> {
  const videoId = song?.youtubeId
  if (!videoId) return Promise.resolve(skipped('The song has no video.'))
  return new Promise((resolve) => {
    const picture = new Image()
    const timeout = setTimeout(() => resolve(trouble(THUMBNAIL_MISSING)), 10_000)
    const settle = (result: CheckResult) => {
      clearTimeout(timeout)
      resolve(result)
    }
    picture.onload = () => settle(fine('Its thumbnail loaded.'))
    picture.onerror = () => settle(trouble(THUMBNAIL_MISSING))
    picture.src = `${config.youtubeImageUrl}/vi/${encodeURIComponent(videoId)}/default.jpg`
  })
}

const THUMBNAIL_MISSING =
  'The thumbnail did not load. A network, a filter or an extension may block YouTube; listeners get previews then.'

async function checkVideo(song: Song | undefined): Promise<CheckResult> {
  const videoId = song?.youtubeId
  if (!videoId) return skipped('The song has no video.')
  try {
    const { embeddable, error } = await call(verifyVideo, {
      params: { videoId },
      query: { strategy: 'enhanced' },
    })
    if (embeddable) return fine('YouTube allows it.')
    return trouble(
      `${error ?? 'Not accessible.'} Look for another video below; until then the preview plays.`,
    )
  } catch (error) {
    return trouble(explainFailure('YouTube could not be asked', error))
  }
}

async function checkPreview(song: Song | undefined): Promise<CheckResult> {
  if (!song) return skipped('There is no song to look for.')
  try {
    const query = { artist: song.artist.slice(0, 200), title: song.title.slice(0, 200), songId: song.id }
    const { result, message } = await call(searchPreview, { query })
    return result ? fine('Deezer has one.') : trouble(message ?? 'None was found.')
  } catch (error) {
    return trouble(explainFailure('Previews could not be searched', error))
  }
}

async function checkBrowser(): Promise<CheckResult> {
  const canPlay = document.createElement('audio').canPlayType('audio/mpeg') !== ''
  return canPlay ? fine('Previews can be heard.') : trouble('Previews are MP3 files; try another browser.')
}

const fine = (detail: string): CheckResult => ({ state: 'fine', detail })
const trouble = (detail: string): CheckResult => ({ state: 'trouble', detail })
const skipped = (detail: string): CheckResult => ({ state: 'skipped', detail })

const NEXT_EMBED_TEXT = 'Tries the next way of embedding.'

/** The video player's error codes, and what playback does about them (playback-12). */
const playerErrors = [
  ['2', 'The id is invalid.', 'Goes to the preview at once.'],
  ['5', 'The player itself failed.', NEXT_EMBED_TEXT],
  ['100', 'Not found, or private.', 'Goes to the preview at once.'],
  ['101', 'Embedding is not allowed by the owner.', NEXT_EMBED_TEXT],
  ['150', 'Cannot be embedded: another code with the meaning of 101.', NEXT_EMBED_TEXT],
  [
    '153',
    'YouTube was not told which page embeds the video. A proxy or an extension may strip the referrer.',
    NEXT_EMBED_TEXT,
  ],
  [
    '10 s',
    'The player did not load in time. A filter or a network may block YouTube.',
    'Goes to the preview.',
  ],
] as const
