import { useLayoutEffect, useRef } from 'react'
import type { MappedMicrogenre } from '../../../contract/map.ts'
import { Button } from '../../ui/Button.tsx'
import { X } from '../../ui/icons.ts'
import { GenreActions } from './GenreActions.tsx'
import { sayFigures, sayNear } from './mapWords.ts'
import type { useHearSong } from './useHearSong.ts'

interface GenrePanelProps {
  microgenre: MappedMicrogenre
  /** Its nearest neighbours. */
  near: readonly MappedMicrogenre[]
  hearing: ReturnType<typeof useHearSong>
  onClose: () => void
}

/** The selected microgenre, beside the map or at its foot (discover-86). */
export function GenrePanel({ microgenre, near, hearing, onClose }: GenrePanelProps) {
  const { id, name, description, color } = microgenre
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each selection shows the panel
  useLayoutEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [id])
  return (
    <section
      ref={panel}
      aria-labelledby="selected-microgenre"
      data-genre=""
      style={{ '--genre': color }}
      className="map-panel"
    >
      <div className="flex items-start gap-2">
        <h2 id="selected-microgenre" dir="auto" className="min-w-0 flex-1 pt-2 text-left text-accent">
          {name}
        </h2>
        <Button variant="bare" size="square" aria-label="Close" className="map-close" onClick={onClose}>
          <X />
        </Button>
      </div>
      <p className="font-semibold tabular-nums">{sayFigures(microgenre)}</p>
      {/* Before the words, so that a bar that comes does not cover it. */}
      <GenreActions microgenre={microgenre} hearing={hearing} />
      <p className="map-panel-words">{description}</p>
      {near.length > 0 && <p className="map-panel-words">{sayNear(near)}</p>}
    </section>
  )
}
