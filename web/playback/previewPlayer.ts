import { findPreview } from './findPreview.ts'
import type { OpenPlayer, PreviewSource } from './player.ts'

/** A 30-second preview in an audio element (playback-14). */
export const openPreviewPlayer: OpenPlayer<PreviewSource> = (source, slot, onSignal) => {
  const audio = getSharedAudio()
  const abortController = new AbortController()
  const { signal } = abortController

  const states = { playing: 'playing', waiting: 'buffering', ended: 'ended' } as const
  for (const [name, state] of Object.entries(states)) {
    audio.addEventListener(name, () => onSignal({ type: 'state', state }), { signal })
  }
  audio.addEventListener('pause', () => !audio.ended && onSignal({ type: 'state', state: 'paused' }), {
    signal,
  })
  audio.addEventListener('canplay', () => onSignal({ type: 'ready' }), { signal, once: true })
  audio.addEventListener('error', () => onSignal({ type: 'error', code: audio.error?.code ?? 0 }), { signal })

  findPreview(source, signal).then(
    (found) => {
      if (signal.aborted) return
      if (!found.result) return onSignal({ type: 'unavailable' })
      audio.src = found.result.previewUrl
      audio.load()
      slot.replaceChildren(audio)
    },
    () => signal.aborted || onSignal({ type: 'unavailable' }),
  )

  return {
    play() {
      audio.play().catch((error: DOMException) => {
        if (!signal.aborted && error.name === 'NotAllowedError') onSignal({ type: 'blocked' })
      })
    },
    pause: () => audio.pause(),
    mute: () => {
      audio.muted = true
    },
    unmute: () => {
      audio.muted = false
    },
    setVolume(volume) {
      audio.volume = volume / 100
    },
    seek(seconds) {
      audio.currentTime = seconds
    },
    position: () => audio.currentTime,
    duration: () => (Number.isFinite(audio.duration) ? audio.duration : 0),
    destroy() {
      abortController.abort()
      audio.pause()
      audio.removeAttribute('src')
      audio.load()
      slot.replaceChildren()
    },
  }
}

let audio: HTMLAudioElement | null = null

/**
 * One element for all previews, because Safari allows further playback only in an element that the listener has
 * started.
 */
function getSharedAudio(): HTMLAudioElement {
  audio ??= Object.assign(new Audio(), { preload: 'auto' })
  return audio
}
