import type { DeskCase, FoundMicrogenre } from '../../contract/desk.ts'
import { matchLevel } from '../../contract/diagnostics.ts'
import type { Song } from '../../contract/shapes.ts'
import type { CatalogueSong } from '../../contract/suggestions.ts'
import { SoundPrompt } from '../playback/PlaybackButtons.tsx'
import { PlaybackIcon, playbackLabel } from '../playback/PlaybackIcon.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { ProgressLine } from '../playback/ProgressLine.tsx'
import { getSongPhase } from '../playback/playbackState.ts'
import { reasonLabels } from '../reports/reasonLabels.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Avatar } from '../ui/art/Avatar.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { formatDate, formatTime } from '../ui/formatDate.ts'
import { caseKinds, doubtTexts, matchLabels, sourceLabels, titleSize } from './deskLabels.ts'
import type { Desk } from './useDesk.ts'

interface CaseViewProps {
  deskCase: DeskCase
  desk: Desk
  /** Plays or pauses its song. */
  onToggle: () => void
}

/** What a case is about, and how many listeners ask for it or report it. */
export function CaseView({ deskCase, desk, onToggle }: CaseViewProps) {
  const { subject, votes, since, reasons, microgenre, person, collection } = deskCase
  const listeners = votes === 1 ? '1 listener · ' : votes > 1 && `${votes.toLocaleString()} listeners · `
  return (
    <section aria-label="Case" className="row-span-2 grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      <p className="text-xs text-ink-2">
        {caseKinds[subject].name} · {listeners}since <time dateTime={since}>{formatDate(since)}</time>
      </p>
      {microgenre ? (
        <MicrogenreView microgenre={microgenre} songs={desk.songs} />
      ) : (
        <SongView deskCase={deskCase} desk={desk} onToggle={onToggle} />
      )}
      {person && <Person subject={subject} person={person} />}
      {collection && <Collection collection={collection} />}
      {reasons.length > 0 && (
        <ul aria-label="Reasons" className="flex flex-wrap gap-x-5 gap-y-1">
          {reasons.map(({ reason, votes: count }) => (
            <li key={reason}>
              <b className="font-semibold">{reasonLabels[reason]}</b>{' '}
              <span className="text-ink-2 tabular-nums">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type Person = NonNullable<DeskCase['person']>

/** The reported part of a profile with the name; a person as a whole with everything that is public. */
function Person({ subject, person }: { subject: DeskCase['subject']; person: Person }) {
  const { name, bio, profileImageUrl } = person
  const displayName = name ?? 'A private listener'
  return (
    <div className="flex flex-wrap items-start gap-5">
      {subject !== 'bio' && (
        <Avatar
          image={profileImageUrl}
          letter={[...displayName][0] ?? ''}
          className="size-32 bg-raised text-[2.5rem] wide:size-48"
        />
      )}
      <div className="grid min-w-48 flex-1 gap-2">
        <h2 dir="auto" className={`text-left wrap-anywhere ${titleSize(displayName)}`}>
          {displayName}
        </h2>
        {subject !== 'photo' && (
          <p dir="auto" className="text-left text-base wrap-anywhere whitespace-pre-line">
            {bio}
          </p>
        )}
      </div>
    </div>
  )
}

function Collection({ collection }: { collection: NonNullable<DeskCase['collection']> }) {
  const { name, description, microgenres, owner } = collection
  return (
    <div className="grid gap-2">
      <h2 dir="auto" className={`text-left wrap-anywhere ${titleSize(name)}`}>
        {name}
      </h2>
      <p className="text-ink-2 wrap-anywhere">
        by <bdi>{owner.name ?? 'a private listener'}</bdi>
      </p>
      {description && (
        <p dir="auto" className="text-left text-base wrap-anywhere whitespace-pre-line">
          {description}
        </p>
      )}
      <p className="text-ink-2">{microgenres.join(', ')}</p>
    </div>
  )
}

interface MicrogenreViewProps {
  microgenre: FoundMicrogenre
  /** Some of its songs. */
  songs: readonly Song[]
}

/** A genre that may become a microgenre, with some of its songs to hear (desk-26). */
function MicrogenreView({ microgenre, songs }: MicrogenreViewProps) {
  const { name, family, near, color, songs: count, artists } = microgenre
  return (
    <div data-genre="" style={{ '--genre': color }} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 dir="auto" className={`text-left wrap-anywhere ${titleSize(name)}`}>
        {name}
      </h2>
      <p className="wrap-anywhere text-ink-2">
        {`${count.toLocaleString()} songs by ${artists.toLocaleString()} artists carry it. Nearest to `}
        <bdi className="text-accent">{near}</bdi>
        {`, in the family ${family}.`}
      </p>
      <SoundPrompt />
      <ul aria-label="Songs" className="border-t border-line">
        {songs.map((song) => (
          <ExampleSong key={song.id} song={song} />
        ))}
      </ul>
    </div>
  )
}

function ExampleSong({ song }: { song: Song }) {
  const { select } = usePlayback()
  const phase = usePlaybackState((state) => getSongPhase(state, song.id)) ?? 'paused'
  return (
    <li className="flex items-center gap-3 border-b border-line py-2">
      <Button size="tight" aria-label={`${playbackLabel(phase)} ${song.title}`} onClick={() => select(song)}>
        <PlaybackIcon phase={phase} />
      </Button>
      <span className="line-clamp-3 min-w-0 flex-1 wrap-anywhere">
        <bdi className="font-semibold">{song.title}</bdi> by <bdi>{song.artist}</bdi>
        {song.year !== null && ` · ${song.year}`}
      </span>
    </li>
  )
}

/** The song of a case, to hear and to read; nothing for people and collections. */
function SongView({ deskCase, desk, onToggle }: CaseViewProps) {
  const [song] = desk.songs
  const phase = usePlaybackState((state) => getSongPhase(state, song?.id))
  if (!song) return null
  const label = playbackLabel(phase ?? 'paused')
  return (
    <div data-genre="" style={{ '--genre': song.color }} className="grid gap-4">
      <div className="flex flex-wrap items-center gap-5">
        <button type="button" aria-label={label} onClick={onToggle} className="relative size-32 wide:size-48">
          <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
          <span className="absolute bottom-0 left-0 bg-paper p-2">
            <PlaybackIcon phase={phase ?? 'paused'} />
          </span>
        </button>
        <div className="grid min-w-48 flex-1 gap-1">
          <h2 dir="auto" className={`text-left wrap-anywhere ${titleSize(song.title)}`}>
            {song.title}
          </h2>
          <p dir="auto" className="text-left text-base wrap-anywhere text-ink-2">
            {song.artist}
          </p>
          <p>
            <bdi className="text-accent">{song.microgenre}</bdi>
            {song.year !== null && ` · ${song.year}`}
          </p>
          <SoundPrompt />
        </div>
      </div>
      <ProgressLine song={song} />
      {deskCase.video && <VideoDetails video={deskCase.video} />}
      {deskCase.suggestion && <SuggestionDetails suggestion={deskCase.suggestion} desk={desk} />}
    </div>
  )
}

function SuggestionDetails({
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
      {alike.length > 0 && <SimilarSongs songs={alike} desk={desk} />}
    </>
  )
}

/** Songs of the catalogue that the suggestion may be. Merging takes the place of approving. */
function SimilarSongs({ songs, desk }: { songs: readonly CatalogueSong[]; desk: Desk }) {
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
              <bdi className="font-semibold">{title}</bdi> by <bdi>{artist}</bdi>, in <bdi>{microgenre}</bdi>
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
function VideoDetails({ video }: { video: NonNullable<DeskCase['video']> }) {
  const { videoTitle, channel, videoMs, songMs, source, score, doubt } = video
  return (
    <div className="grid gap-1">
      <h3 dir="auto" className="text-left wrap-anywhere">
        {videoTitle}
      </h3>
      <p className="wrap-anywhere text-ink-2">
        <bdi>{channel ?? 'An unknown channel'}</bdi> · {formatLengths(videoMs, songMs)}
      </p>
      <p>{`${matchLabels[matchLevel(score)]}, ${score} of 100`}</p>
      <p className="text-ink-2">
        Found by {sourceLabels[source]}. {doubtTexts[doubt]}
      </p>
    </div>
  )
}

function formatLengths(videoMs: number | null, songMs: number | null): string {
  const video = videoMs === null ? 'length unknown' : formatTime(videoMs / 1000)
  return songMs === null ? video : `${video}, the song ${formatTime(songMs / 1000)}`
}
