import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { listMicrogenres } from '../../contract/discovery.ts'
import { formatCount } from '../../contract/formatCount.ts'
import {
  applyImport,
  createImport,
  IMPORT_DAYS,
  type Import,
  type ImportSong,
  removeImport,
} from '../../contract/imports.ts'
import { announcementText } from '../achievements/announceAchievements.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { selectMicrogenre } from '../discovery/selectMicrogenre.ts'
import { Button, ButtonTo } from '../ui/controls/Button.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { useFocusFallback } from '../ui/keyboard/useFocusFallback.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { PageHeading } from '../ui/page/Page.tsx'
import { goTo } from '../ui/screenParams.ts'
import { toast } from '../ui/toast.ts'
import { ColumnsForm } from './ColumnsForm.tsx'
import { followImport, importQuery, isGone, useFollowImports } from './followImport.ts'
import { ImportSongs } from './ImportSongs.tsx'
import { useImportSongs } from './useImportSongs.ts'

/** One import: its progress, its dry run, or what it added. */
export function ImportView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(importQuery(id))
  useFollowImports(data && !isGone(error) ? [data] : [])
  useFocusFallback()
  if (isGone(error))
    return (
      <>
        {data?.status === 'reverting' ? (
          <PageHeading title="Taken back" note="Your ratings are as they were before." />
        ) : (
          <PageHeading
            title="No such import"
            note={`It was taken back, discarded, or is older than ${IMPORT_DAYS} days.`}
          />
        )}
        <ButtonTo to="/imports">Your imports</ButtonTo>
      </>
    )
  if (!data)
    return error ? (
      <LoadFailure isMain onRetry={refetch}>
        Your import did not load.
      </LoadFailure>
    ) : (
      <Loading>Loading your import...</Loading>
    )
  return (
    <div className="max-w-3xl">
      <PageHeading
        title="Your import"
        note={
          <bdi className="wrap-anywhere">{[data.fileName, ...data.sources].filter(Boolean).join(' · ')}</bdi>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {error && <LoadFailure onRetry={refetch}>The server does not answer.</LoadFailure>}
        <ImportState imported={data} />
      </div>
    </div>
  )
}

function ImportState({ imported }: { imported: Import }) {
  switch (imported.status) {
    case 'waiting':
    case 'reading':
      return <Progress imported={imported} />
    case 'applying':
      return <Loading>Adding your songs...</Loading>
    case 'reverting':
      return <Loading>Taking it all back...</Loading>
    case 'failed':
      return <Failure imported={imported} />
    case 'ready':
      return <DryRun imported={imported} />
    case 'applied':
      return <Applied imported={imported} />
  }
}

function Progress({ imported }: { imported: Import }) {
  const { bytes, size, rows } = imported.progress
  return (
    <>
      <div className="grid gap-2">
        <p className="text-base tabular-nums">
          {imported.status === 'waiting'
            ? 'Waiting for other imports...'
            : `Reading: ${formatCount(rows, 'entry', 'entries')} so far`}
        </p>
        <progress
          aria-label="Reading your file"
          max={size || 1}
          value={Math.min(bytes, size)}
          className="h-1.5 w-full appearance-none overflow-hidden rounded-[1px] [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ink"
        />
      </div>
      <RemoveButton imported={imported}>Cancel</RemoveButton>
    </>
  )
}

/** Cancels, discards or takes back: what the import added goes with it. */
function RemoveButton({ imported: { id }, children }: { imported: Import; children: string }) {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const removing = useMutation({
    mutationFn: () => call(removeImport, { params: { id } }),
    onSuccess(rest) {
      if (!rest) return navigate('/imports', { replace: true })
      queryClient.setQueryData(importQuery(id).queryKey, rest)
      followImport(queryClient, id)
    },
    onError: () => toast.error('Nothing was changed. Please try again.'),
  })
  return (
    <Button className="justify-self-start" pending={removing.isPending} onClick={() => removing.mutate()}>
      {children}
    </Button>
  )
}

/** A file that was not read, or a table whose columns the listener names. */
function Failure({ imported }: { imported: Import }) {
  const { key, header, error } = imported
  const [, navigate] = useLocation()
  const reading = useMutation({
    mutationFn: (columns: string) => call(createImport, { body: { key: key ?? '', columns } }),
    onSuccess: (next) => navigate(`/imports/${next.id}`, { replace: true }),
    onError: (failure) => toast.error(refusalMessage(failure) ?? 'It was not read. Please try again.'),
  })
  return (
    <>
      <p role="alert" className="text-base wrap-anywhere">
        {error ?? 'This file could not be read.'}
      </p>
      {header && key && (
        <ColumnsForm header={header} isPending={reading.isPending} onSubmit={reading.mutate} />
      )}
      <div className="flex flex-wrap gap-3">
        {!header && <ButtonTo to="/imports">Choose another file</ButtonTo>}
        <RemoveButton imported={imported}>Discard</RemoveButton>
      </div>
    </>
  )
}

/** What the file would add, and its songs. Nothing counts before the button. */
function DryRun({ imported }: { imported: Import }) {
  const { id, bangers, busts, plays, heaps, collections } = imported
  const queryClient = useQueryClient()
  const [withBusts, setWithBusts] = useState(true)
  const [withPlays, setWithPlays] = useState(true)
  const applying = useMutation({
    mutationFn: () =>
      call(applyImport, { params: { id }, body: { bangers: true, busts: withBusts, plays: withPlays } }),
    onSuccess(next) {
      queryClient.setQueryData(importQuery(id).queryKey, next)
      followImport(queryClient, id)
    },
    onError: (failure) => toast.error(refusalMessage(failure) ?? 'Nothing was added. Please try again.'),
  })
  const parts = [
    ...(bangers > 0 ? [formatCount(bangers, 'banger')] : []),
    ...(withBusts && busts > 0 ? [formatCount(busts, 'bust')] : []),
    ...(collections > 0 ? [formatCount(collections, 'collection')] : []),
  ]
  const canApply = parts.length > 0 || (withPlays && plays > 0)
  return (
    <>
      <p className="text-base">
        {heaps.known > 0
          ? `${formatCount(heaps.known, 'of its songs is', 'of its songs are')} known here.`
          : 'None of its songs is known here yet.'}
        {heaps.doubtful > 0 && ` ${heaps.doubtful.toLocaleString('en')} more may be.`}
        {collections > 0 && ' Collections come along, except those whose name you have already.'}
      </p>
      {busts > 0 && (
        <SwitchRow name={formatCount(busts, 'bust')} isOn={withBusts} onChange={setWithBusts}>
          What you disliked there becomes busts.
        </SwitchRow>
      )}
      {plays > 0 && (
        <SwitchRow name={`Plays of ${formatCount(plays, 'song')}`} isOn={withPlays} onChange={setWithPlays}>
          They show your taste and sort your microgenres. They rate nothing.
        </SwitchRow>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="main"
          size="big"
          className="whitespace-normal!"
          disabled={!canApply}
          pending={applying.isPending}
          onClick={() => applying.mutate()}
        >
          {parts.length > 0 ? `Add ${new Intl.ListFormat('en').format(parts)}` : 'Use the plays'}
        </Button>
        <RemoveButton imported={imported}>Discard</RemoveButton>
      </div>
      <ImportSongs imported={imported} />
    </>
  )
}

/** What it added, in one message, and ways on and back. */
function Applied({ imported }: { imported: Import }) {
  const { id, bangers, busts, plays, achievements, appliedAt } = imported
  const { songs } = useImportSongs(id, 'known')
  const microgenres = useQuery(query(listMicrogenres))
  function hearBest() {
    const best = pickBestMicrogenre(songs ?? [], microgenres.data ?? [])
    // Where Discover has it already, it may show a song that is rated now (discover-4).
    if (best) selectMicrogenre(best)
    goTo({ section: 'discover', ...(best && { microgenre: best }) })
  }
  const lastDay = new Date(Date.parse(appliedAt ?? imported.createdAt) + IMPORT_DAYS * 86_400_000)
  return (
    <>
      <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-2 wrap-anywhere">
        <h2>
          {bangers > 0
            ? `${formatCount(bangers, 'banger is', 'bangers are')} in your library`
            : busts > 0
              ? `${formatCount(busts, 'bust is', 'busts are')} saved`
              : plays > 0
                ? 'Your plays count now'
                : 'Your collections came along'}
        </h2>
        {achievements.length > 0 && (
          <p className="text-base">Unlocked: {achievements.map(announcementText).join(', ')}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="main" size="big" className="whitespace-normal!" onClick={hearBest}>
          Hear the first song that fits
        </Button>
        <RemoveButton imported={imported}>Take it all back</RemoveButton>
      </div>
      <p className="text-ink-2">You can take it back until {formatDate(lastDay.toISOString())}.</p>
      <ImportSongs imported={imported} />
    </>
  )
}

/** The id of the one with the most songs that were loved or played, of those with songs left to rate; null without one. */
function pickBestMicrogenre(
  songs: readonly Pick<ImportSong, 'verdict' | 'song'>[],
  microgenres: readonly { id: string; unratedCount: number }[],
): string | null {
  const countSongs = (id: string) =>
    songs.filter(({ song, verdict }) => song?.microgenreId === id && verdict !== 'bust').length
  const [best] = microgenres
    .filter(({ id, unratedCount }) => unratedCount > 0 && countSongs(id) > 0)
    .sort((one, other) => countSongs(other.id) - countSongs(one.id))
  return best?.id ?? null
}
