import { useEffect, useRef, useState } from 'react'
import type { MappedMicrogenre } from '../../../contract/discovery.ts'
import { isolateName } from '../../../contract/isolateName.ts'
import { useSinglePress } from '../../api/useSinglePress.ts'
import { PlaybackIcon, playbackLabel } from '../../playback/PlaybackIcon.tsx'
import { usePlaybackEngine, usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { LogIn } from '../../ui/laterIcons.ts'
import { goTo } from '../../ui/screenParams.ts'
import { toast } from '../../ui/toast.ts'
import { discoveryCalls } from '../engine/discoveryCalls.ts'
import { useDiscoverPlayback } from '../engine/useDiscoverPlayback.ts'

export type MicrogenrePlayback = ReturnType<typeof useMicrogenrePlayback>

interface GenreActionsProps {
  microgenre: MappedMicrogenre
  playback: MicrogenrePlayback
  /** Whether the buttons name the microgenre for screen readers, as in a list. */
  hasNames?: boolean
}

/** Plays a song of the microgenre, or opens it on Discover (discover-87). */
export function GenreActions({
  microgenre,
  playback: { togglePlayback, pendingId },
  hasNames = false,
}: GenreActionsProps) {
  const { id, name } = microgenre
  const phase = usePlaybackState((state) => (state.song?.microgenreId === id ? state.phase : null))
  const shownPhase = pendingId === id ? 'loading' : phase
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="tight"
        aria-busy={shownPhase === 'loading' || undefined}
        onClick={() => togglePlayback(microgenre)}
      >
        <PlaybackIcon phase={shownPhase ?? 'paused'} className="size-5" />
        {shownPhase && shownPhase !== 'loading' ? playbackLabel(shownPhase) : 'Hear a song'}
        {hasNames && <span className="sr-only">of {name}</span>}
      </Button>
      <Button
        size="tight"
        variant={hasNames ? 'outline' : 'accent'}
        onClick={() => goTo({ section: 'discover', microgenre: id })}
      >
        <LogIn />
        Enter
        {hasNames && <span className="sr-only">{name}</span>}
      </Button>
    </div>
  )
}

/**
 * Plays the song with which Discover would begin in a microgenre (discover-87), or plays and pauses the current song if it
 * is of that microgenre. Only the microgenre that was pressed last is heard.
 */
export function useMicrogenrePlayback() {
  const playback = useDiscoverPlayback()
  const player = usePlaybackEngine()
  const fetchController = useRef(new AbortController())
  /** The microgenre whose song is loading. */
  const [pendingId, setPendingId] = useState<string | null>(null)
  useEffect(() => () => fetchController.current.abort(), [])

  /** Resolves to false if a later press has replaced this one. */
  async function fetchSong(microgenre: MappedMicrogenre, { signal }: AbortController): Promise<boolean> {
    try {
      const song = await discoveryCalls.fetchNextSong(microgenre.id, signal)
      if (signal.aborted) return false
      if (song) playback.select(song, { announce: true })
      else toast({ title: 'Nothing left to hear', description: nothingLeftMessage(microgenre) })
      return true
    } catch {
      if (!signal.aborted) toast.error(failureMessage(microgenre))
      return !signal.aborted
    }
  }

  async function play(microgenre: MappedMicrogenre) {
    fetchController.current.abort()
    fetchController.current = new AbortController()
    const isCurrent = player.getState().song?.microgenreId === microgenre.id
    setPendingId(isCurrent ? null : microgenre.id)
    if (isCurrent) playback.toggle()
    else if (await fetchSong(microgenre, fetchController.current)) setPendingId(null)
  }

  const pressOnce = useSinglePress()
  const togglePlayback = (microgenre: MappedMicrogenre) => pressOnce(() => play(microgenre), microgenre.id)
  return { togglePlayback, pendingId }
}

const nothingLeftMessage = ({ name, songCount }: MappedMicrogenre) =>
  songCount === 0
    ? `There are no songs in ${isolateName(name)} yet.`
    : `You have been through every song of ${isolateName(name)}. Enter it to begin again.`

const failureMessage = ({ name }: MappedMicrogenre) =>
  `No song of ${isolateName(name)} could be loaded. Please try again.`
