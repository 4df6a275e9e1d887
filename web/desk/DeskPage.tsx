import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DECISIONS_PAGE_SIZE, type Decision, listDecisions } from '../../contract/desk.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { isolateName } from '../../contract/isolateName.ts'
import { query } from '../api/query.ts'
import { VolumeControl } from '../playback/PlaybackButtons.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { PaginatedList, usePagination } from '../ui/controls/Pagination.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { isFocusByPointer } from '../ui/keyboard/focusOrigin.ts'
import { focusPage } from '../ui/keyboard/openDialogs.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { PageHeading } from '../ui/page/Page.tsx'
import { PageBesideVideo } from '../ui/page/PageBesideVideo.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { DeskCases } from './DeskCases.tsx'
import { decisionLabels, fieldLabels } from './deskLabels.ts'
import { caseKey, type Desk, useDesk } from './useDesk.ts'
import './layouts.css'

type DeskTab = 'cases' | 'trail'

/** The desk of the stewards: one case at a time, and the trail of all decisions (desk-23). */
export function DeskPage() {
  usePageTitle('The desk')
  const [tab, setTab] = useState<DeskTab>('cases')
  const desk = useDesk()
  function selectTab(value: string) {
    setTab(value as DeskTab)
    // Otherwise the arrow keys would choose tabs.
    if (isFocusByPointer()) requestAnimationFrame(focusPage)
  }
  return (
    <PageBesideVideo id="desk" header={<VolumeControl />}>
      <PageHeading title="The desk" />
      <Tabs value={tab} onValueChange={selectTab}>
        <TabList label="Desk">
          <Tab value="cases">{desk.waiting > 0 ? `Cases (${desk.waiting.toLocaleString()})` : 'Cases'}</Tab>
          <Tab value="trail">Trail</Tab>
        </TabList>
        <TabPanel value="cases">
          <DeskCases desk={desk} />
        </TabPanel>
        <TabPanel value="trail">
          <Trail desk={desk} />
        </TabPanel>
      </Tabs>
    </PageBesideVideo>
  )
}

/** Who decided what and when, newest first; what can be undone has a button (desk-17, desk-18). */
function Trail({ desk }: { desk: Desk }) {
  const pages = usePagination()
  const page = useQuery({
    ...query(listDecisions, { query: { before: pages.cursor } }),
    staleTime: 0,
  })
  const genres = useQuery(query(listMicrogenres))
  const nameOf = (id: string) => genres.data?.find((genre) => genre.id === id)?.name ?? id

  return (
    <PaginatedList
      pagination={pages}
      items={page.data}
      size={DECISIONS_PAGE_SIZE}
      className="grid-cols-[minmax(0,1fr)]"
    >
      {page.isError && <LoadFailure onRetry={page.refetch}>The trail did not load.</LoadFailure>}
      {page.data?.length === 0 && <p className="text-ink-2">Nothing was decided yet.</p>}
      {page.data && page.data.length > 0 && (
        <ul aria-label="Trail">
          {page.data.map((decision) => (
            <TrailRow
              key={decision.id}
              decision={decision}
              isUndo={isUndo(decision, page.data)}
              desk={desk}
              nameOf={nameOf}
            />
          ))}
        </ul>
      )}
    </PaginatedList>
  )
}

/** Whether it undoes a decision; the undo of an undo does that decision again. */
function isUndo({ action, undoes }: Decision, all: readonly Decision[]): boolean {
  const before = all.find(({ id }) => id === undoes)
  return action === 'undo' && !(before && isUndo(before, all))
}

interface TrailRowProps {
  decision: Decision
  isUndo: boolean
  desk: Desk
  /** A microgenre's name. */
  nameOf: (id: string) => string
}

function TrailRow({ decision, isUndo, desk, nameOf }: TrailRowProps) {
  const { id, steward, action, label, reason, changes, batch, canUndo, createdAt, subject, subjectId } =
    decision
  const key = subjectId === null ? null : caseKey({ subject, subjectId })
  const actionLabel = action === 'undo' && !isUndo ? 'Done again' : decisionLabels[action]
  const title = `${actionLabel}: ${label}`
  const undoLabel = isUndo ? 'Redo' : 'Undo'
  const ariaDisabled = desk.isPending || undefined
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <b className="line-clamp-3 font-semibold wrap-anywhere">{title}</b>
        <span className="text-xs text-ink-2 wrap-anywhere">
          <bdi>{steward ?? 'A deleted account'}</bdi> ·{' '}
          <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
        </span>
        {reason && <span className="text-xs wrap-anywhere">{reason}</span>}
        {changes.map((change) => (
          <span key={change.field} className="line-clamp-3 text-xs wrap-anywhere">
            {formatChange(change, nameOf)}
          </span>
        ))}
      </div>
      {canUndo && (
        <Button
          size="tight"
          aria-label={`${undoLabel}: ${title}`}
          aria-disabled={ariaDisabled}
          onClick={() => desk.undo({ id, isBatch: false, key })}
        >
          {undoLabel}
        </Button>
      )}
      {canUndo && batch === id && action !== 'undo' && (
        <Button
          size="tight"
          aria-disabled={ariaDisabled}
          onClick={() => desk.undo({ id: batch, isBatch: true, key: null })}
        >
          Undo the whole batch
        </Button>
      )}
    </li>
  )
}

function formatChange(
  { field, before, after }: Decision['changes'][number],
  nameOf: TrailRowProps['nameOf'],
): string {
  const name = Object.hasOwn(fieldLabels, field) ? fieldLabels[field as keyof typeof fieldLabels] : field
  const formatValue = (value: string | null) =>
    value === null ? 'nothing' : isolateName(field === 'microgenreId' ? nameOf(value) : value)
  return `${name}: ${formatValue(before)} → ${formatValue(after)}`
}
