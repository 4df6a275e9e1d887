import type { DeskCase } from '../../contract/desk.ts'
import { reasonWords } from '../reports/reportWords.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { sizeOf, subjectWords } from './deskWords.ts'
import { MicrogenreView } from './MicrogenreView.tsx'
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
        {subjectWords[subject]} · {listeners}since <time dateTime={since}>{formatDate(since)}</time>
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
