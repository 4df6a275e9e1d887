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
import { useHeap } from './useHeap.ts'

/** What the file has, in four heaps: known here, doubtful, unknown, and left out with the reasons (imports-32). */
export function Heaps({ imported }: { imported: Import }) {
  const { id, heaps, leftOut, status } = imported
  const isOpen = status === 'ready'
  const [heap, setHeap] = useState<string>(isOpen && heaps.doubtful > 0 ? 'doubtful' : 'known')
  const leftOutCount = Object.values(leftOut).reduce((sum, count) => sum + count, 0)
  function selectHeap(value: string) {
    setHeap(value)
    // Otherwise the arrow keys would choose tabs.
    if (isFocusByPointer()) requestAnimationFrame(focusPage)
  }
  return (
    <Tabs value={heap} onValueChange={selectHeap}>
      <TabList label="What the file has">
        <Tab value="known">{`Known (${heaps.known.toLocaleString('en')})`}</Tab>
        {isOpen && <Tab value="doubtful">{`Doubtful (${heaps.doubtful.toLocaleString('en')})`}</Tab>}
        <Tab value="unknown">{`Unknown (${heaps.unknown.toLocaleString('en')})`}</Tab>
        <Tab value="left-out">{`Left out (${leftOutCount.toLocaleString('en')})`}</Tab>
      </TabList>
      <TabPanel value="known">
        <SongList id={id} heap="known" empty="No song of the file is known here.">
          {({ song }) => <bdi className="text-xs wrap-anywhere text-ink-2">{song?.microgenre}</bdi>}
        </SongList>
      </TabPanel>
      {isOpen && (
        <TabPanel value="doubtful">
          <DoubtfulSongs id={id} total={heaps.doubtful} />
        </TabPanel>
      )}
      <TabPanel value="unknown">
        <UnknownSongs id={id} />
      </TabPanel>
      <TabPanel value="left-out">
        <LeftOut leftOut={leftOut} />
      </TabPanel>
    </Tabs>
  )
}

interface SongListProps {
  id: string
  heap: Heap
  /** Shown when there are none. */
  empty: string
  /** At the end of a row. */
  children: (song: ImportSong) => ReactNode
}

function SongList({ id, heap, empty, children }: SongListProps) {
  const { songs, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useHeap(id, heap)
  if (!songs)
    return isError ? (
      <LoadFailure onRetry={refetch}>These songs did not load.</LoadFailure>
    ) : (
      <Loading>Loading the songs...</Loading>
    )
  if (songs.length === 0) return <p className="text-ink-2">{empty}</p>
  const loadMore = () => void fetchNextPage({ cancelRefetch: false })
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
