import { useMemo } from 'react'
import type { MappedMicrogenre } from '../../../contract/map.ts'
import { GenreActions } from './GenreActions.tsx'
import { sayFigures, sayNear } from './mapWords.ts'
import { nearestTo } from './neighbours.ts'
import type { useHearSong } from './useHearSong.ts'

interface MapListProps {
  microgenres: readonly MappedMicrogenre[]
  current: string | null
  hearing: ReturnType<typeof useHearSong>
}

/** The map in words: every microgenre by family, with its nearest neighbours (discover-88). */
export function MapList({ microgenres, current, hearing }: MapListProps) {
  const families = useMemo(() => byFamily(microgenres), [microgenres])
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
                  <p className="text-xs font-semibold tabular-nums">{sayFigures(microgenre)}</p>
                  <p className="text-xs text-ink-2">{microgenre.description}</p>
                  <p className="text-xs text-ink-2">{sayNear(nearestTo(microgenres, microgenre))}</p>
                </div>
                <GenreActions microgenre={microgenre} hearing={hearing} named />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function byFamily(microgenres: readonly MappedMicrogenre[]): [string, MappedMicrogenre[]][] {
  const families = new Map<string, MappedMicrogenre[]>()
  for (const microgenre of microgenres)
    families.set(microgenre.family, [...(families.get(microgenre.family) ?? []), microgenre])
  return [...families].sort(([one], [other]) => one.localeCompare(other))
}
