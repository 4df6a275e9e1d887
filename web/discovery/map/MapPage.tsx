import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { create } from 'zustand'
import { getMap, type MappedMicrogenre } from '../../../contract/discovery.ts'
import { query } from '../../api/query.ts'
import { storageItem } from '../../api/storageItem.ts'
import { MiniPlayer } from '../../playback/MiniPlayer.tsx'
import { ShareMapButton } from '../../sharing/ShareMapButton.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { ArrowLeft } from '../../ui/icons.tsx'
import { List, MapIcon } from '../../ui/laterIcons.ts'
import { LoadFailure } from '../../ui/page/Loading.tsx'
import { lazyDialog } from '../../ui/page/lazyComponent.tsx'
import { Main, SkipLink } from '../../ui/page/Main.tsx'
import { Wordmark } from '../../ui/page/Wordmark.tsx'
import { goTo, useDialog, useScreenParam } from '../../ui/screenParams.ts'
import { usePageTitle } from '../../ui/usePageTitle.ts'
import { countExplored, formatFigures, formatNeighbours } from './formatMicrogenre.ts'
import { GenreActions } from './GenreActions.tsx'
import { MapView } from './MapView.tsx'
import { nearestNeighbours } from './neighbours.ts'
import { useMicrogenrePlayback } from './useMicrogenrePlayback.ts'
import './map.css'

const FeedbackDialog = lazyDialog(
  async () => (await import('../../feedback/FeedbackDialog.tsx')).FeedbackDialog,
)

/** All microgenres, as a map or as a list, with the listener's own figures (discover-83). */
export function MapPage() {
  usePageTitle('Microgenres')
  return (
    <div className="map-page">
      <SkipLink to="microgenres" />
      <header className="map-header">
        <Button variant="bare" size="tight" onClick={openDiscovery}>
          <ArrowLeft />
          Back to Discovery
        </Button>
        <Wordmark className="ml-auto pr-2 text-[1.05rem] max-[26rem]:hidden" />
      </header>
      <Main id="microgenres" className="map-main">
        <Microgenres />
      </Main>
      <div data-bar="" className="bar-ground">
        <MiniPlayer active onDiscover={openDiscovery} />
      </div>
      <FeedbackDialog {...useDialog('feedback')} />
    </div>
  )
}

const openDiscovery = () => goTo({ section: 'discover' })

function Microgenres() {
  // The figures change with every rating, so they are requested whenever the page opens.
  const { data, isError, refetch } = useQuery({ ...query(getMap), staleTime: 0 })
  const layout = useMapLayout()
  const current = useScreenParam('microgenre')
  const playback = useMicrogenrePlayback()
  const isEmpty = data?.length === 0
  return (
    <>
      <div className="map-head">
        <h1>Microgenres</h1>
        <div className="flex items-center gap-2">
          <LayoutSwitch layout={layout} />
          {!isEmpty && <ShareMapButton explored={countExplored(data ?? [])} total={data?.length ?? null} />}
        </div>
      </div>
      <p className="map-words">
        {!isEmpty && <ExploredCount microgenres={data} />}
        Microgenres stand close when the same listeners bang in both or, before enough have, when they share
        family and tags.
      </p>
      {isEmpty ? (
        <p className="pt-6 text-base text-ink-2">
          There are no microgenres on the map yet. It is drawn within an hour. Come back soon.
        </p>
      ) : isError && !data ? (
        <div className="pt-6">
          <LoadFailure onRetry={refetch}>The microgenres did not load.</LoadFailure>
        </div>
      ) : layout === 'list' && data ? (
        <MapList microgenres={data} current={current} playback={playback} />
      ) : (
        <MapView microgenres={data} current={current} playback={playback} />
      )}
    </>
  )
}

/** Before the microgenres are there it keeps the place. */
function ExploredCount({ microgenres }: { microgenres: readonly MappedMicrogenre[] | undefined }) {
  return (
    <b className={`font-semibold text-ink tabular-nums ${microgenres ? '' : 'invisible'}`}>
      {microgenres ? `${countExplored(microgenres)} of ${microgenres.length}` : '00 of 000'} explored.{' '}
    </b>
  )
}

const layouts = [
  { layout: 'map', name: 'Map', icon: MapIcon },
  { layout: 'list', name: 'List', icon: List },
] as const satisfies { layout: MapLayout; name: string; icon: typeof List }[]

function LayoutSwitch({ layout: shown }: { layout: MapLayout }) {
  return (
    <fieldset className="map-switch">
      <legend className="sr-only">View</legend>
      {layouts.map(({ layout, name, icon: Icon }) => (
        <button
          key={layout}
          type="button"
          aria-pressed={layout === shown}
          onClick={() => changeLayout(layout)}
          className="map-switch-choice"
        >
          <Icon />
          <span className="max-wide:sr-only">{name}</span>
        </button>
      ))}
    </fieldset>
  )
}

type MapLayout = 'map' | 'list'

const layoutSetting = storageItem('microgenres')

/** Whether the microgenres are shown as a map or as a list. Stored in this browser (discover-83). */
const useMapLayout = create<MapLayout>(() => (layoutSetting.read() === 'list' ? 'list' : 'map'))

function changeLayout(layout: MapLayout): void {
  useMapLayout.setState(layout, true)
  layoutSetting.save(layout)
}

interface MapListProps {
  microgenres: readonly MappedMicrogenre[]
  current: string | null
  playback: ReturnType<typeof useMicrogenrePlayback>
}

/** The map in words: every microgenre by family, with its nearest neighbours (discover-88). */
function MapList({ microgenres, current, playback }: MapListProps) {
  const families = useMemo(() => groupByFamily(microgenres), [microgenres])
  return (
    <div className="map-list">
      {families.map(([family, members]) => (
        <section key={family} aria-label={family}>
          <h2 className="capitalize">{family}</h2>
          <ul className="mt-2">
            {members.map((microgenre) => (
              <li
                key={microgenre.id}
                data-genre=""
                style={{ '--genre': microgenre.color }}
                aria-current={microgenre.id === current || undefined}
                className="map-row"
              >
                <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
                  <h3 dir="auto" className="text-left">
                    {microgenre.name}
                  </h3>
                  <p className="text-xs font-semibold tabular-nums">{formatFigures(microgenre)}</p>
                  <p className="text-xs text-ink-2">{microgenre.description}</p>
                  <p className="text-xs text-ink-2">
                    {formatNeighbours(nearestNeighbours(microgenres, microgenre))}
                  </p>
                </div>
                <GenreActions microgenre={microgenre} playback={playback} named />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function groupByFamily(microgenres: readonly MappedMicrogenre[]): [string, MappedMicrogenre[]][] {
  const families = new Map<string, MappedMicrogenre[]>()
  for (const microgenre of microgenres)
    families.set(microgenre.family, [...(families.get(microgenre.family) ?? []), microgenre])
  return [...families].sort(([one], [other]) => one.localeCompare(other))
}
