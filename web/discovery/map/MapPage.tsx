import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { getMap, type MappedMicrogenre } from '../../../contract/discovery.ts'
import { query } from '../../api/query.ts'
import { storageItem } from '../../api/storageItem.ts'
import { ShareMapButton } from '../../sharing/ShareMapButton.tsx'
import { List, MapIcon } from '../../ui/laterIcons.ts'
import { LoadFailure } from '../../ui/page/Loading.tsx'
import { PageHeading } from '../../ui/page/Page.tsx'
import { PageBesideVideo } from '../../ui/page/PageBesideVideo.tsx'
import { useScreenParam } from '../../ui/screenParams.ts'
import { usePageTitle } from '../../ui/usePageTitle.ts'
import {
  countExplored,
  formatFigures,
  formatNeighbours,
  groupByFamily,
  nearestNeighbours,
} from './formatMicrogenre.ts'
import { GenreActions, type MicrogenrePlayback, useMicrogenrePlayback } from './GenreActions.tsx'
import { MapView } from './MapView.tsx'
import './map.css'

/** All microgenres, as a map or as a list, with the listener's own figures (discover-83). */
export function MapPage() {
  usePageTitle('Microgenres')
  return (
    <div className="map-page">
      {/* As high as the screen, or higher where the map and what is selected need it. */}
      <PageBesideVideo
        id="microgenres"
        className="flex flex-col pb-[calc(max(var(--bar-h),var(--below))+0.75rem)] tiny:pb-3"
      >
        <Microgenres />
      </PageBesideVideo>
    </div>
  )
}

function Microgenres() {
  // The figures change with every rating, so they are requested whenever the page opens.
  const { data, isError, refetch } = useQuery({ ...query(getMap), staleTime: 0 })
  const [layout, setLayout] = useState(readLayout)
  const current = useScreenParam('microgenre')
  const playback = useMicrogenrePlayback()
  const isEmpty = data?.length === 0
  const hasFailed = isError && !data
  return (
    <>
      <PageHeading
        title="Microgenres"
        note={
          !hasFailed && (
            <span className="block text-xs roomy:text-sm">
              {!isEmpty && <ExploredCount microgenres={data} />}
              Microgenres stand close when the same listeners bang in both or, before enough have, when they
              are related.
            </span>
          )
        }
      >
        {!hasFailed && (
          <LayoutSwitch
            layout={layout}
            onChange={(next) => {
              setLayout(next)
              layoutSetting.save(next)
            }}
          />
        )}
        {!isEmpty && !hasFailed && (
          <ShareMapButton explored={countExplored(data ?? [])} total={data?.length ?? null} />
        )}
      </PageHeading>
      {isEmpty ? (
        <p className="text-base text-ink-2">
          There are no microgenres on the map yet. It is drawn within an hour. Come back soon.
        </p>
      ) : hasFailed ? (
        <LoadFailure isMain onRetry={refetch}>
          The microgenres did not load.
        </LoadFailure>
      ) : layout === 'list' && data ? (
        <MapList microgenres={data} current={current} playback={playback} />
      ) : (
        <MapView microgenres={data} current={current} playback={playback} />
      )}
    </>
  )
}

/** Takes its space before the microgenres have loaded. */
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

function LayoutSwitch(props: { layout: MapLayout; onChange: (layout: MapLayout) => void }) {
  return (
    <fieldset className="flex overflow-hidden rounded-control border border-line-strong">
      <legend className="sr-only">View</legend>
      {layouts.map(({ layout, name, icon: Icon }) => (
        <button
          key={layout}
          type="button"
          aria-pressed={layout === props.layout}
          onClick={() => props.onChange(layout)}
          className="flex min-h-(--size-touch) min-w-(--size-touch) items-center justify-center gap-2 px-3 font-[550] text-ink-2 hover:text-ink focus-visible:-outline-offset-4 aria-pressed:bg-ink aria-pressed:text-paper"
        >
          <Icon />
          <span className="max-wide:sr-only">{name}</span>
        </button>
      ))}
    </fieldset>
  )
}

type MapLayout = 'map' | 'list'

/** The browser stores whether the microgenres show as a map or as a list (discover-83). */
const layoutSetting = storageItem('microgenres')
const readLayout = (): MapLayout => (layoutSetting.read() === 'list' ? 'list' : 'map')

interface MapListProps {
  microgenres: readonly MappedMicrogenre[]
  current: string | null
  playback: MicrogenrePlayback
}

/** The map as text: the microgenres of each family, with their nearest neighbours (discover-88). */
function MapList({ microgenres, current, playback }: MapListProps) {
  const families = useMemo(
    () => groupByFamily(microgenres).sort(([one], [other]) => one.localeCompare(other)),
    [microgenres],
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8 pt-2 pe-[max(0px,var(--beside)-1rem)]">
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
                className="group grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line py-4 wrap-anywhere wide:grid-cols-[minmax(0,1fr)_auto] wide:items-center wide:gap-x-8"
              >
                <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 [&>p]:max-w-[75ch]">
                  <h3
                    dir="auto"
                    className="text-left text-accent decoration-2 underline-offset-4 group-aria-[current]:underline"
                  >
                    {microgenre.name}
                  </h3>
                  <p className="text-xs font-semibold tabular-nums">{formatFigures(microgenre)}</p>
                  <p className="text-xs text-ink-2">{microgenre.description}</p>
                  <p className="text-xs text-ink-2">
                    {formatNeighbours(nearestNeighbours(microgenres, microgenre))}
                  </p>
                </div>
                <GenreActions microgenre={microgenre} playback={playback} hasNames />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
