import { useState } from 'react'
import { verifyVideo } from '../../contract/diagnostics.ts'
import { songName } from '../../contract/isolateName.ts'
import { searchPreview } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { config } from '../api/config.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { CircleCheck, CircleDashed, CircleX } from '../ui/laterIcons.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { useSamples } from './AudioDebugPanel.tsx'
import { DiagnosticSection, type Tone, toneLook } from './DiagnosticFrame.tsx'
import { explainFailure } from './explainFailure.ts'

/** Checks the sample song from the catalogue to this browser, and explains the player's errors (diagnostics-14). */
export function Troubleshooter() {
  const { songs } = useSamples()
  const [findings, setFindings] = useState<CheckResult[]>([])
  const running = useAction({
    async mutationFn() {
      setFindings([])
      for (const { look } of checks) {
        const finding = await look(songs?.[0])
        setFindings((known) => [...known, finding])
      }
    },
  })
  return (
    <DiagnosticSection
      title="Troubleshooter"
      description="Follows the sample song from the catalogue to your loudspeaker and says where it gets stuck."
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
            result={findings[index]}
            busy={running.isPending && findings.length === index}
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

function CheckRow({
  name,
  result: finding,
  busy,
}: {
  name: string
  result: CheckResult | undefined
  busy: boolean
}) {
  const look = finding ? looks[finding.state] : null
  const Icon = look?.icon ?? CircleDashed
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 border-b border-line py-2">
      {busy ? (
        <Spinner className="mt-0.5 size-5" />
      ) : (
        <Icon
          role="img"
          aria-label={look?.name ?? 'Not checked'}
          className={`mt-0.5 size-5 ${look ? toneLook(look.tone) : 'text-ink-3'}`}
        />
      )}
      <div>
        {name}
        {finding && <span className="block text-xs text-ink-2">{finding.words}</span>}
      </div>
    </li>
  )
}

const looks = {
  fine: { name: 'Fine', tone: 'good', icon: CircleCheck },
  trouble: { name: 'Trouble', tone: 'poor', icon: CircleX },
  skipped: { name: 'Skipped', tone: 'plain', icon: CircleDashed },
} satisfies Record<CheckResult['state'], { name: string; tone: Tone; icon: unknown }>

interface CheckResult {
  state: 'fine' | 'trouble' | 'skipped'
  /** The finding, and what to do about a problem. */
  words: string
}

/** What a song needs to play, from the catalogue to the loudspeaker. */
const checks: { name: string; look: (song: Song | undefined) => Promise<CheckResult> }[] = [
  { name: 'A song comes from the catalogue', look: lookAtCatalogue },
  { name: 'This browser reaches YouTube', look: lookAtYoutube },
  { name: 'The video may be embedded', look: lookAtVideo },
  { name: 'There is a preview to fall back on', look: lookAtPreview },
  { name: 'This browser plays MP3', look: lookAtBrowser },
]

async function lookAtCatalogue(song: Song | undefined): Promise<CheckResult> {
  if (song) return fine(songName(song))
  return trouble('No song came. Is the server up, and the catalogue loaded?')
}

/** The thumbnail comes directly from YouTube's image host. */
function lookAtYoutube(song: Song | undefined): Promise<CheckResult> {
  const videoId = song?.youtubeId
  if (!videoId) return Promise.resolve(skipped('The song has no video.'))
  return new Promise((resolve) => {
    const picture = new Image()
    const late = setTimeout(() => resolve(trouble(THUMBNAIL_MISSING)), 10_000)
    const settle = (finding: CheckResult) => {
      clearTimeout(late)
      resolve(finding)
    }
    picture.onload = () => settle(fine('Its thumbnail came.'))
    picture.onerror = () => settle(trouble(THUMBNAIL_MISSING))
    picture.src = `${config.youtubeImageUrl}/vi/${encodeURIComponent(videoId)}/default.jpg`
  })
}

const THUMBNAIL_MISSING =
  'The thumbnail did not come. A network, a filter or an extension may block YouTube; listeners get previews then.'

async function lookAtVideo(song: Song | undefined): Promise<CheckResult> {
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

async function lookAtPreview(song: Song | undefined): Promise<CheckResult> {
  if (!song) return skipped('There is no song to look for.')
  try {
    const query = { artist: song.artist.slice(0, 200), title: song.title.slice(0, 200), songId: song.id }
    const { result, message } = await call(searchPreview, { query })
    return result ? fine('Deezer has one.') : trouble(message ?? 'None was found.')
  } catch (error) {
    return trouble(explainFailure('Previews could not be searched', error))
  }
}

async function lookAtBrowser(): Promise<CheckResult> {
  const can = document.createElement('audio').canPlayType('audio/mpeg') !== ''
  return can ? fine('Previews can be heard.') : trouble('Previews are MP3 files; try another browser.')
}

const fine = (words: string): CheckResult => ({ state: 'fine', words })
const trouble = (words: string): CheckResult => ({ state: 'trouble', words })
const skipped = (words: string): CheckResult => ({ state: 'skipped', words })

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
