import type { ReactNode } from 'react'
import type { DealReason } from '../../../contract/discovery.ts'
import { AudioCredit } from '../../playback/AudioCredit.tsx'
import { hasCoveredVideo, isCovered } from '../../playback/coverSong.ts'
import { ElsewhereButton } from '../../playback/ElsewhereButton.tsx'
import { usePlayback, usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { ProgressLine, ProgressPlaceholder } from '../../playback/ProgressLine.tsx'
import { getCreditedAudio, getSongPhase } from '../../playback/playbackState.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { focusPage } from '../../ui/keyboard/openDialogs.ts'
import { openDialog } from '../../ui/screenParams.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { shownSong } from '../engine/discoveryState.ts'

interface SongInfoProps {
  discovery: DiscoveryEngine
  /** Set when no song can load before a retry. */
  onTryAgain: (() => void) | null
  isVisitor: boolean | undefined
}

/** Below the art: progress, title, artist, and why this song comes. */
export function SongInfo({ discovery, onTryAgain, isVisitor }: SongInfoProps) {
  const song = useDeferredStore(discovery, shownSong)
  const audio = usePlaybackState((state) => getCreditedAudio(state, song?.id))
  const placeholder = onTryAgain ? failedText : loadingText
  const title = song?.title ?? placeholder.title
  const isSilent = usePlaybackState((state) => getSongPhase(state, song?.id) === 'silent')
  const isOnlyVideo = isSilent && song !== null && hasCoveredVideo(song)
  const artist = isOnlyVideo ? ONLY_VIDEO : (song?.artist ?? placeholder.artist)
  const { toggle } = usePlayback()
  function show() {
    discovery.send({ type: 'show' })
    // The button goes.
    focusPage()
    if (isOnlyVideo) toggle()
  }
  return (
    <SongInfoLayout progress={<ProgressLine song={song} />}>
      <h1
        dir="auto"
        className={`col-span-full line-clamp-4 text-left font-bold wrap-anywhere ${titleStyle(title)}`}
      >
        {title}
      </h1>
      <p
        dir="auto"
        role={isOnlyVideo ? 'status' : undefined}
        className={`pointer-events-none ${isOnlyVideo ? '' : 'line-clamp-2 framed:short:line-clamp-1'} text-left text-ink-2 wrap-anywhere ${artistSizes[textWidth(artist) > 30 ? 'long' : 'short']} ${audio ? 'low:line-clamp-1' : ''}`}
      >
        {artist}
      </p>
      {song && isCovered(song) ? (
        <Button size="tight" className="row-span-2 ml-4 self-start" onClick={show}>
          Show
        </Button>
      ) : (
        // Small screens have it in the row of the microgenre.
        <span className="row-span-2 -mr-3 ml-4 standing:hidden low:hidden [@media(height<44rem)]:hidden">
          {!isVisitor && <ElsewhereButton song={song} hasLabel />}
        </span>
      )}
      {song && !isVisitor && <ReasonButton reason={song.reason} />}
      {song && audio && (
        // One line where the column is wide.
        <p className="col-span-full text-xs/4 text-ink-2 [&>span]:inline-block [&>span]:max-w-full @xs:[&>span]:max-w-[calc(100%-16rem)] [&>span]:truncate [&>span]:align-bottom">
          <AudioCredit audio={audio} isCovered={isCovered(song)} />
        </p>
      )}
      {onTryAgain && !song && (
        <Button variant="main" className="col-span-full mt-2 justify-self-start" onClick={onTryAgain}>
          Try again
        </Button>
      )}
    </SongInfoLayout>
  )
}

/** What the frame that the server sends has in place of `SongInfo`. */
export const SongInfoPlaceholder = () => (
  <SongInfoLayout progress={<ProgressPlaceholder />}>
    <p role="status" className={`col-span-full font-display font-bold ${titleStyle(loadingText.title)}`}>
      Loading...
    </p>
  </SongInfoLayout>
)

function SongInfoLayout({ progress, children }: { progress: ReactNode; children: ReactNode }) {
  return (
    <div className="@container grid min-h-(--words) min-w-0 flex-none grid-cols-[minmax(0,1fr)] content-start gap-1.5 pt-3 standing:min-h-0 standing:pt-2 low:min-h-0 low:pt-1.5">
      {progress}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] content-start gap-y-1 phone:min-h-17.5 phone:short:min-h-15 tablet:min-h-24">
        {children}
      </div>
    </div>
  )
}

/** Instead of the artist, while the song is covered. */
const ONLY_VIDEO = 'This song has only a video, which shows its title.'

const loadingText = { title: 'Loading next song...', artist: 'Please wait' }
const failedText = { title: 'Songs could not be loaded', artist: 'Check your connection and try again.' }

/**
 * Why this song comes (discover-64); a press opens the dialog that says more. The button covers the artist, too, because
 * the sentence is too low for a finger.
 */
function ReasonButton({ reason }: { reason: DealReason }) {
  const sentence = reasonSentences[reason]
  if (!sentence) return null
  return (
    // Hidden where a video leaves little height.
    <div className="relative col-start-1 justify-self-start framed:short:hidden framed:[@media(height<22rem)]:hidden">
      <p aria-hidden="true" className="text-xs/4 text-ink-2 underline">
        {sentence}
      </p>
      <button
        type="button"
        aria-label={sentence}
        aria-haspopup="dialog"
        onClick={() => openDialog('why')}
        className="absolute inset-x-0 bottom-0 h-(--size-touch) opacity-0 focus-visible:opacity-100"
      />
    </div>
  )
}

const reasonSentences = {
  taste: 'Fits what you banged before',
  'more-like': 'More like what you banged',
  liked: 'Liked above average here',
  rare: 'Few have heard this yet',
  shuffle: 'From your shuffle',
  'put-off': 'You put this off before',
} satisfies Record<DealReason, string>

const artistSizes = {
  short: 'text-lg @max-xs:text-sm/4.5 low:text-sm/4.5',
  long: 'text-base/5.5 @max-xs:text-xs/4 low:text-xs/4',
}

const FULL_WIDTH_LETTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}]/u

/** The width of a text, in Latin letters. */
function textWidth(text: string): number {
  let width = 0
  for (const letter of text) width += FULL_WIDTH_LETTER.test(letter) ? 1.7 : 1
  return width
}

/** Short titles are large and wide; long ones, and those with a long word, small and narrow. */
function titleStyle(title: string): string {
  const longestWord = Math.max(
    ...title.split(/[\s-]+/).map((word) => (FULL_WIDTH_LETTER.test(word) ? 0 : textWidth(word))),
  )
  const width = Math.max(textWidth(title), 1.9 * longestWord)
  if (width <= 16) return titleStyles.wide
  if (width <= 30) return titleStyles.normal
  if (width <= 48) return titleStyles.narrow
  return width <= 90 ? titleStyles.narrowest : `${titleStyles.narrowest} short:line-clamp-3`
}

/* Sizes follow the width of the column. */
const titleStyles = {
  wide: 'text-[clamp(1.25rem,11cqi,2.5rem)] leading-[1.1] low:text-[1.25rem]',
  normal:
    'text-[clamp(1.125rem,8cqi,2.5rem)] leading-[1.15] [font-stretch:104%] @max-xs:[font-stretch:88%] low:text-[1.25rem]',
  narrow:
    'text-[clamp(1.0625rem,6.5cqi,2.25rem)] leading-[1.15] [font-stretch:90%] @max-xs:[font-stretch:72%] low:text-[1.0625rem]',
  narrowest:
    'text-[clamp(1rem,5.5cqi,1.875rem)] leading-[1.1] [font-stretch:80%] @max-xs:[font-stretch:62%] low:text-[1rem]',
} satisfies Record<string, string>
