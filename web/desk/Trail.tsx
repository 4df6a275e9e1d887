import { useQuery } from '@tanstack/react-query'
import { type Decision, listDecisions, TRAIL_PAGE } from '../../contract/desk.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { query } from '../api/query.ts'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Paged, usePages } from '../ui/Pages.tsx'
import { decidedWords, fieldWords } from './deskWords.ts'
import { type Desk, keyOf } from './useDesk.ts'

/** Who decided what and when, newest first; what can be undone has a button (desk-17, desk-18). */
export function Trail({ desk }: { desk: Desk }) {
  const pages = usePages()
  const page = useQuery({
    ...query(listDecisions, { query: { before: pages.before } }),
    staleTime: 0,
  })
  const genres = useQuery(query(listMicrogenres))
  const nameOf = (id: string) => genres.data?.find((genre) => genre.id === id)?.name ?? id

  return (
    <Paged pages={pages} items={page.data} size={TRAIL_PAGE} className="grid-cols-[minmax(0,1fr)]">
      {page.isError && <LoadFailure onRetry={page.refetch}>The trail did not load.</LoadFailure>}
      {page.data?.length === 0 && <p className="text-ink-2">Nothing was decided yet.</p>}
      {page.data && page.data.length > 0 && (
        <ul aria-label="Trail" className="border-t border-line">
          {page.data.map((decision) => (
            <Row
              key={decision.id}
              decision={decision}
              isUndo={isUndo(decision, page.data)}
              desk={desk}
              nameOf={nameOf}
            />
          ))}
        </ul>
      )}
    </Paged>
  )
}

/** Whether it undoes a decision; the undo of an undo does that decision again. */
function isUndo({ action, undoes }: Decision, all: readonly Decision[]): boolean {
  const before = all.find(({ id }) => id === undoes)
  return action === 'undo' && !(before && isUndo(before, all))
}

interface RowProps {
  decision: Decision
  isUndo: boolean
  desk: Desk
  /** A microgenre's name. */
  nameOf: (id: string) => string
}

function Row({ decision, isUndo, desk, nameOf }: RowProps) {
  const { id, steward, action, label, reason, changes, batch, canUndo, createdAt, subject, subjectId } =
    decision
  const key = subjectId === null ? null : keyOf({ subject, subjectId })
  const done = action === 'undo' && !isUndo ? 'Done again' : decidedWords[action]
  const words = `${done}: ${label}`
  const undo = isUndo ? 'Redo' : 'Undo'
  const wait = desk.isPending || undefined
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <b className="line-clamp-3 font-semibold wrap-anywhere">{words}</b>
        <span className="text-xs text-ink-2 wrap-anywhere">
          <bdi>{steward ?? 'A deleted account'}</bdi> ·{' '}
          <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
        </span>
        {reason && <span className="text-xs wrap-anywhere">{reason}</span>}
        {changes.map((change) => (
          <span key={change.field} className="line-clamp-3 text-xs wrap-anywhere">
            {changeWords(change, nameOf)}
          </span>
        ))}
      </div>
      {canUndo && (
        <Button
          size="tight"
          aria-label={`${undo}: ${words}`}
          aria-disabled={wait}
          onClick={() => desk.undo({ id, isBatch: false, key })}
        >
          {undo}
        </Button>
      )}
      {canUndo && batch === id && action !== 'undo' && (
        <Button
          size="tight"
          aria-disabled={wait}
          onClick={() => desk.undo({ id: batch, isBatch: true, key: null })}
        >
          Undo the whole batch
        </Button>
      )}
    </li>
  )
}

function changeWords(
  { field, before, after }: Decision['changes'][number],
  nameOf: RowProps['nameOf'],
): string {
  const name = Object.hasOwn(fieldWords, field) ? fieldWords[field as keyof typeof fieldWords] : field
  const shown = (value: string | null) =>
    value === null ? 'nothing' : field === 'microgenreId' ? nameOf(value) : value
  return `${name}: ${shown(before)} → ${shown(after)}`
}
