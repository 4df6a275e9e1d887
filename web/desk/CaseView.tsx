import type { DeskCase } from '../../contract/desk.ts'
import type { FoundMicrogenre } from '../../contract/foundMicrogenres.ts'
import type { Song } from '../../contract/shapes.ts'
import { PlaybackIcon, playbackLabel } from '../playback/PlaybackIcon.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { SoundPrompt } from '../playback/SoundPrompt.tsx'
import { phaseOf } from '../playback/shownPlayback.ts'
import { reasonWords } from '../reports/reportWords.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { kinds, sizeOf } from './deskWords.ts'
import { SongView } from './SongView.tsx'
import { songsOfCase } from './songsOfCase.ts'
import type { Desk } from './useDesk.ts'

interface CaseViewProps {
  case: DeskCase
  desk: Desk
  /** Plays or pauses its song. */
  onToggle: () => void
}

/** What a case is about, and how many ask for it or report it. */
export function CaseView({ case: current, desk, onToggle }: CaseViewProps) {
  const { subject, votes, since, reasons, microgenre, person, collection } = current
  const listeners = votes === 1 ? '1 listener · ' : votes > 1 && `${votes.toLocaleString()} listeners · `
  return (
    <section aria-label="Case" className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      <p className="text-xs text-ink-2">
        {kinds[subject].name} · {listeners}since <time dateTime={since}>{formatDate(since)}</time>
      </p>
      {microgenre ? (
        <MicrogenreView microgenre={microgenre} songs={songsOfCase(current)} />
      ) : (
        <SongView case={current} desk={desk} onToggle={onToggle} />
      )}
      {person && <Person subject={subject} person={person} />}
      {collection && <Collection collection={collection} />}
      {reasons.length > 0 && (
        <ul aria-label="Reasons" className="flex flex-wrap gap-x-5 gap-y-1">
          {reasons.map(({ reason, votes: count }) => (
            <li key={reason}>
              <b className="font-semibold">{reasonWords[reason]}</b>{' '}
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
  const shown = name ?? 'A private listener'
  return (
    <div className="flex flex-wrap items-start gap-5">
      {subject !== 'bio' && (
        <Avatar
          image={profileImageUrl}
          letter={[...shown][0] ?? ''}
          className="desk-art bg-raised text-[2.5rem]"
        />
      )}
      <div className="grid min-w-48 flex-1 gap-2">
        <h2 dir="auto" className={`text-left wrap-anywhere ${sizeOf(shown)}`}>
          {shown}
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
      <h2 dir="auto" className={`text-left wrap-anywhere ${sizeOf(name)}`}>
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
  /** Some that carry it. */
  songs: readonly Song[]
}

/** A genre that may become a microgenre, with some of its songs to hear (desk-26). */
function MicrogenreView({ microgenre, songs }: MicrogenreViewProps) {
  const { name, family, near, color, songs: count, artists } = microgenre
  return (
    <div data-genre="" style={{ '--genre': color }} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 dir="auto" className={`text-left wrap-anywhere ${sizeOf(name)}`}>
        {name}
      </h2>
      <p className="wrap-anywhere text-ink-2">
        {`${count.toLocaleString()} songs by ${artists.toLocaleString()} artists carry it. Nearest to `}
        <span className="text-accent">{near}</span>
        {`, in the family ${family}.`}
      </p>
      <SoundPrompt />
      <ul aria-label="Songs" className="border-t border-line">
        {songs.map((song) => (
          <Example key={song.id} song={song} />
        ))}
      </ul>
    </div>
  )
}

function Example({ song }: { song: Song }) {
  const { select } = usePlayback()
  const phase = usePlaybackState((state) => phaseOf(state, song.id)) ?? 'paused'
  return (
    <li className="flex items-center gap-3 border-b border-line py-2">
      <Button size="tight" aria-label={`${playbackLabel(phase)} ${song.title}`} onClick={() => select(song)}>
        <PlaybackIcon phase={phase} />
      </Button>
      <span className="line-clamp-3 min-w-0 flex-1 wrap-anywhere">
        <b className="font-semibold">{song.title}</b> by <bdi>{song.artist}</bdi>
        {song.year !== null && ` · ${song.year}`}
      </span>
    </li>
  )
}
