import { useState } from 'react'
import type { Import, ImportSong } from '../../contract/imports.ts'
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
        <SongList id={id} heap="known" />
      </TabPanel>
      <TabPanel value="doubtful">
        <DoubtfulSongs id={id} total={heaps.doubtful} />
      </TabPanel>
      <TabPanel value="unknown">
        <SongList id={id} heap="unknown" />
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

/** Unknown songs can be suggested to the desk, within its limits (desk-6). */
function SongList({ id, heap }: { id: string; heap: 'known' | 'unknown' }) {
  const { songs, isError, refetch, hasNextPage, loadMore, isFetchingNextPage } = useImportSongs(id, heap)
  const [words, setWords] = useState('')
  const suggestDialog = useDialog('suggest')
  function suggest({ title, artist, address }: ImportSong) {
    setWords(address ?? `${artist} - ${title}`)
    openDialog('suggest')
  }
  if (!songs)
    return isError ? (
      <LoadFailure onRetry={refetch}>These songs did not load.</LoadFailure>
    ) : (
      <Loading>Loading the songs...</Loading>
    )
  if (songs.length === 0) return <p className="text-ink-2">{`No song of the file is ${heap} here.`}</p>
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
                {song.title || song.song?.title || song.address}
              </b>
              <span dir="auto" className="line-clamp-2 text-left text-xs text-ink-2 wrap-anywhere">
                {song.artist || song.song?.artist}
              </span>
              <span className="text-xs text-ink-2">{formatUse(song)}</span>
            </span>
            {heap === 'known' ? (
              <bdi className="text-xs wrap-anywhere text-ink-2">{song.song?.microgenre}</bdi>
            ) : (
              <Button
                size="tight"
                aria-label={`Suggest ${song.title || song.address}`}
                onClick={() => suggest(song)}
              >
                Suggest
              </Button>
            )}
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
      {heap === 'unknown' && <SuggestDialog {...suggestDialog} words={words} />}
    </div>
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
