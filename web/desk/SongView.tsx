import type { DeskCase } from '../../contract/desk.ts'
import type { KnownSong } from '../../contract/suggestions.ts'
import { formatTime } from '../playback/formatTime.ts'
import { PlaybackIcon, playbackLabel } from '../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { ProgressLine } from '../playback/ProgressLine.tsx'
import { SoundPrompt } from '../playback/SoundPrompt.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { Button } from '../ui/Button.tsx'
import { doubtWords, fitWords, sizeOf, sourceWords } from './deskWords.ts'
import { songsOfCase } from './songsOfCase.ts'
import type { Desk } from './useDesk.ts'

interface SongViewProps {
  case: DeskCase
  desk: Desk
  onToggle: () => void
}

/** The song of a case, to hear and to read; nothing for people and collections. */
export function SongView({ case: current, desk, onToggle }: SongViewProps) {
  const [song] = songsOfCase(current)
  const phase = usePlaybackState((state) => phaseOf(state, song?.id))
  if (!song) return null
  const label = playbackLabel(phase ?? 'paused')
  return (
    <div data-genre="" style={{ '--genre': song.color }} className="grid gap-4">
      <div className="flex flex-wrap items-center gap-5">
        <button type="button" aria-label={label} onClick={onToggle} className="desk-art relative">
          <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
          <span className="absolute bottom-0 left-0 bg-paper p-2">
            <PlaybackIcon phase={phase ?? 'paused'} />
          </span>
        </button>
        <div className="grid min-w-48 flex-1 gap-1">
          <h2 dir="auto" className={`text-left wrap-anywhere ${sizeOf(song.title)}`}>
            {song.title}
          </h2>
          <p dir="auto" className="text-left text-base wrap-anywhere text-ink-2">
            {song.artist}
          </p>
          <p>
            <span className="text-accent">{song.microgenre}</span>
            {song.year !== null && ` · ${song.year}`}
          </p>
          <SoundPrompt />
        </div>
      </div>
      <ProgressLine song={song} />
      {current.song && <p className="text-ink-2">{ratedWords(current.song.ratings)}</p>}
      {current.video && <OfferedVideo video={current.video} />}
      {current.suggestion && <Suggested suggestion={current.suggestion} desk={desk} />}
    </div>
  )
}

const ratedWords = (ratings: number) =>
  ratings === 1 ? 'Rated by one listener' : `Rated by ${ratings.toLocaleString()} listeners`

function Suggested({
  suggestion: { address, suggester, foundScore, alike },
  desk,
}: {
  suggestion: NonNullable<DeskCase['suggestion']>
  desk: Desk
}) {
  return (
    <>
      {address && (
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          className="flex min-h-(--size-touch) items-center justify-self-start underline wrap-anywhere"
        >
          {address}
        </a>
      )}
      <p className="text-ink-2 wrap-anywhere">
        {foundScore !== null && `Found by the catalogue, with ${foundScore} of 100. `}
        {(suggester || foundScore === null) && (
          <>
            Suggested by <bdi>{suggester?.name ?? 'a listener'}</bdi>
            {suggester?.isTrusted && ', who is trusted'}
          </>
        )}
      </p>
      {alike.length > 0 && <Alike songs={alike} desk={desk} />}
    </>
  )
}

/** Songs that it may be: merging takes the place of approving. */
function Alike({ songs, desk }: { songs: readonly KnownSong[]; desk: Desk }) {
  return (
    <div className="grid gap-2">
      <h3>May be here already</h3>
      <ul className="border-t border-line">
        {songs.map(({ id, title, artist, microgenre }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-2"
          >
            <span className="line-clamp-3 min-w-48 flex-1 wrap-anywhere">
              <b className="font-semibold">{title}</b> by <bdi>{artist}</bdi>, in {microgenre}
            </span>
            <Button
              size="tight"
              aria-label={`Merge with ${title}`}
              pending={desk.isPending}
              onClick={() => desk.decide({ action: 'merge', songId: id })}
            >
              Merge
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What tells whether a video is the song's (desk-25). */
function OfferedVideo({ video }: { video: NonNullable<DeskCase['video']> }) {
  const { videoTitle, channel, videoMs, songMs, source, score, doubt } = video
  return (
    <div className="grid gap-1">
      <h3 dir="auto" className="text-left wrap-anywhere">
        {videoTitle}
      </h3>
      <p className="wrap-anywhere text-ink-2">
        <bdi>{channel ?? 'An unknown channel'}</bdi> · {lengthWords(videoMs, songMs)}
      </p>
      <p>{fitWords(score)}</p>
      <p className="text-ink-2">
        Found by {sourceWords[source]}. {doubtWords[doubt]}
      </p>
    </div>
  )
}

function lengthWords(videoMs: number | null, songMs: number | null): string {
  const video = videoMs === null ? 'length unknown' : formatTime(videoMs / 1000)
  return songMs === null ? video : `${video}, the song ${formatTime(songMs / 1000)}`
}
