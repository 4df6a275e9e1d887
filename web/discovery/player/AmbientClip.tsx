import { useEffect } from 'react'
import { usePlayback, usePlaybackState } from '../../playback/PlaybackProvider.tsx'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { isLoading } from '../engine/discoveryState.ts'

/** Milliseconds; the next song usually loads sooner. */
const AMBIENT_DELAY = 700

/**
 * Plays an ambient clip while a song loads: at once for the first song of a microgenre, after a delay for the next
 * (playback-8). Renders nothing.
 */
export function AmbientClip({ discovery }: { discovery: DiscoveryEngine }) {
  const isSuspended = useDeferredStore(usePlayback().isSuspended, (state) => state)
  const isMuted = usePlaybackState((state) => state.muted) || isSuspended
  const awaitedSong = useDeferredStore(discovery, (state) => {
    if (!isLoading(state)) return null
    return state.view === 'choosing' || state.fetching === 'first' ? 'first' : 'next'
  })
  useEffect(() => {
    if (!awaitedSong || isMuted) return
    let stop: (() => void) | undefined
    const start = () => {
      stop = playAmbientClip()
    }
    if (awaitedSong === 'first') start()
    const timer = awaitedSong === 'next' ? setTimeout(start, AMBIENT_DELAY) : undefined
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [awaitedSong, isMuted])
  return null
}

const MAX_VOLUME = 0.15
const FADE_IN_TIME = 1200
const FADE_OUT_TIME = 600
const FADE_STEP = 50

const clips = [
  new URL('./ambient/bells.mp3', import.meta.url),
  new URL('./ambient/dawn.mp3', import.meta.url),
  new URL('./ambient/drift.mp3', import.meta.url),
  new URL('./ambient/dust.mp3', import.meta.url),
  new URL('./ambient/tide.mp3', import.meta.url),
]

/**
 * Plays one of the clips once. It fades out at its end, or when the returned function is called. Silent where the
 * browser requires a gesture or does not let pages set the volume.
 */
function playAmbientClip(): () => void {
  const clip = clips[Math.floor(Math.random() * clips.length)]
  const audio = new Audio(clip?.href)
  const startedAt = Date.now()
  let endingAt: number | null = null

  audio.volume = 0
  if (audio.volume !== 0) return () => {}
  const timer = setInterval(() => {
    const remaining = (audio.duration - audio.currentTime) * 1000
    if (endingAt === null && remaining < FADE_OUT_TIME) endingAt = Date.now()
    audio.volume = ambientVolume(Date.now() - startedAt, endingAt === null ? null : Date.now() - endingAt)
    if (endingAt !== null && audio.volume === 0) {
      clearInterval(timer)
      audio.pause()
    }
  }, FADE_STEP)
  audio.play().catch(() => clearInterval(timer))

  return () => {
    endingAt ??= Date.now()
  }
}

/** The volume, 0 to 0.15, by milliseconds since the start and since the end began (null before that). */
export function ambientVolume(sinceStart: number, sinceEnd: number | null): number {
  const fadeIn = Math.min(1, sinceStart / FADE_IN_TIME)
  const fadeOut = sinceEnd === null ? 1 : Math.max(0, 1 - sinceEnd / FADE_OUT_TIME)
  return MAX_VOLUME * Math.min(fadeIn, fadeOut)
}
