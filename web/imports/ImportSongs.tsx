import { type ReactNode, useState } from 'react'
import type { Heap, Import, ImportSong } from '../../contract/imports.ts'
import { SuggestDialog } from '../suggestions/SuggestDialog.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { isFocusByPointer } from '../ui/keyboard/focusOrigin.ts'
import { focusPage } from '../ui/keyboard/openDialogs.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { DoubtfulSongs } from './DoubtfulSongs.tsx'
import { formatReason, formatUse } from './importTexts.ts'
import { useImportSongs } from './useImportSongs.ts'

/** What the file has: songs that are known here, doubtful or unknown, and why others were left out (imports-32). */
export function ImportSongs({ imported }: { imported: Import }) {
  const { id, heaps, leftOut, status } = imported
  const isOpen = status === 'ready'
  const [tab, setTab] = useState(isOpen && heaps.doubtful > 0 ? 'doubtful' : 'known')
  const counts = { ...heaps, 'left-out': Object.values(leftOut).reduce((sum, count) => sum + count, 0) }
  function selectTab(value: string) {
    setTab(value)
    // Otherwise the arrow keys would choose tabs.
    if (isFocusByPointer()) requestAnimationFrame(focusPage)
  }
  return (
    <Tabs value={tab} onValueChange={selectTab}>
      <TabList label="What the file has">
        {tabs.map(({ value, name }) =>
          value === 'doubtful' && !isOpen ? null : (
            <Tab key={value} value={value}>{`${name} (${counts[value].toLocaleString('en')})`}</Tab>
          ),
        )}
      </TabList>
      <TabPanel value="known">
        <SongList id={id} heap="known" empty="No song of the file is known here.">
          {({ song }) => <bdi className="text-xs wrap-anywhere text-ink-2">{song?.microgenre}</bdi>}
        </SongList>
      </TabPanel>
      <TabPanel value="doubtful">
        <DoubtfulSongs id={id} total={heaps.doubtful} />
      </TabPanel>
      <TabPanel value="unknown">
        <UnknownSongs id={id} />
      </TabPanel>
      <TabPanel value="left-out">
        <LeftOut leftOut={leftOut} />
      </TabPanel>
    </Tabs>
  )
}

const tabs = [
  { value: 'known', name: 'Known' },
  { value: 'doubtful', name: 'Doubtful' },
  { value: 'unknown', name: 'Unknown' },
  { value: 'left-out', name: 'Left out' },
] as const

interface SongListProps {
  id: string
  heap: Heap
  /** Shown when there are none. */
  empty: string
  /** At the end of a row. */
  children: (song: ImportSong) => ReactNode
}

function SongList({ id, heap, empty, children }: SongListProps) {
  const { songs, isError, refetch, hasNextPage, loadMore, isFetchingNextPage } = useImportSongs(id, heap)
  if (!songs)
    return isError ? (
      <LoadFailure onRetry={refetch}>These songs did not load.</LoadFailure>
    ) : (
      <Loading>Loading the songs...</Loading>
    )
  if (songs.length === 0) return <p className="text-ink-2">{empty}</p>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ul aria-label="Songs">
        {songs.map((song) => (
          <li
            key={song.place}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-2"
          >
            <span className="grid min-w-40 flex-1 grid-cols-[minmax(0,1fr)]">
              <b dir="auto" className="line-clamp-2 text-left font-semibold wrap-anywhere">
                {song.title || song.address}
              </b>
              <span dir="auto" className="line-clamp-2 text-left text-xs text-ink-2 wrap-anywhere">
                {song.artist}
              </span>
              <span className="text-xs text-ink-2">{formatUse(song)}</span>
            </span>
            {children(song)}
          </li>
        ))}
      </ul>
      {isError ? (
        <LoadFailure onRetry={loadMore}>The rest did not load.</LoadFailure>
      ) : (
        hasNextPage && (
          <Button className="justify-self-start" pending={isFetchingNextPage} onClick={loadMore}>
            {isFetchingNextPage ? 'Loading...' : 'Show more'}
          </Button>
        )
      )}
    </div>
  )
}

/** Each can be suggested to the desk, within its limits (desk-6). */
function UnknownSongs({ id }: { id: string }) {
  const [words, setWords] = useState('')
  function suggest({ title, artist, address }: ImportSong) {
    setWords(address ?? `${artist} - ${title}`)
    openDialog('suggest')
  }
  return (
    <>
      <SongList id={id} heap="unknown" empty="Every song of the file is known here.">
        {(song) => (
          <Button
            size="tight"
            aria-label={`Suggest ${song.title || song.address}`}
            onClick={() => suggest(song)}
          >
            Suggest
          </Button>
        )}
      </SongList>
      <SuggestDialog {...useDialog('suggest')} words={words} />
    </>
  )
}

function LeftOut({ leftOut }: Pick<Import, 'leftOut'>) {
  const reasons = Object.entries(leftOut).sort(([, one], [, other]) => other - one)
  if (reasons.length === 0) return <p className="text-ink-2">Nothing was left out.</p>
  return (
    <dl>
      {reasons.map(([reason, count]) => (
        <div key={reason} className="flex justify-between gap-4 border-b border-line py-3">
          <dt>{formatReason(reason)}</dt>
          <dd className="font-semibold tabular-nums">{count.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  )
}
