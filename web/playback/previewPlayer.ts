import { type PreviewAnswer, searchPreview } from '../../contract/playback.ts'
import type { Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { uncoverSong } from './coverSong.ts'
import {
  type AudioSource,
  fitStart,
  isInCatalogue,
  type Player,
  type PreviewSource,
  type Signal,
} from './player.ts'

/** A 30-second preview (playback-14) or a whole recording (playback-28) in an audio element. */
export function openPreviewPlayer(
  source: PreviewSource | AudioSource,
  slot: HTMLElement,
  onSignal: (signal: Signal) => void,
  request?: RequestPreview,
): Player {
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
  audio.addEventListener(
    'loadedmetadata',
    () => {
      if (source.kind === 'audio' && source.start > 0)
        audio.currentTime = fitStart(source.start, audio.duration)
    },
    { signal },
  )
  audio.addEventListener('canplay', () => onSignal({ type: 'ready' }), { signal, once: true })
  audio.addEventListener('error', () => onSignal({ type: 'error', code: audio.error?.code ?? 0 }), { signal })

  const address =
    source.kind === 'audio'
      ? Promise.resolve(source.url)
      : findPreview(source, request, signal).then(({ result }) => result?.previewUrl)
  address.then(
    (found) => {
      if (signal.aborted) return
      if (!found) return onSignal({ type: 'unavailable' })
      audio.src = found
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

let sharedAudio: HTMLAudioElement | null = null

/** One element for all previews: Safari allows sound only in an element that the listener has started. */
function getSharedAudio(): HTMLAudioElement {
  sharedAudio ??= Object.assign(new Audio(), { preload: 'auto' })
  return sharedAudio
}

type PreviewSearch = Promise<PreviewAnswer>

/** Asks the server for a preview; `fresh`: not for the cached one. */
export type RequestPreview = (song: Song, fresh: boolean, signal?: AbortSignal) => PreviewSearch

/** Milliseconds; the address is valid for longer. */
const PREFETCH_LIFETIME = 60_000

/** Only one, because the server limits these calls. */
let prefetched: { songId: string; at: number; found: PreviewSearch } | null = null

/** Searches the preview before its song is opened. */
export function prefetchPreview(source: PreviewSource, request?: RequestPreview): void {
  if (getPrefetched(source)) return
  const found = resolvePreview(source, request)
  const entry = { songId: source.song.id, at: Date.now(), found }
  prefetched = entry
  found.catch(() => {
    if (prefetched === entry) prefetched = null
  })
}

/** The prefetched preview, or a new search. */
function findPreview(
  source: PreviewSource,
  request: RequestPreview | undefined,
  signal: AbortSignal,
): PreviewSearch {
  const entry = getPrefetched(source)
  prefetched = null
  return entry ?? resolvePreview(source, request, signal)
}

function getPrefetched({ song, fresh }: PreviewSource): PreviewSearch | null {
  const isUsable = prefetched?.songId === song.id && !fresh && Date.now() - prefetched.at < PREFETCH_LIFETIME
  return isUsable && prefetched ? prefetched.found : null
}

async function resolvePreview(
  { song, fresh }: PreviewSource,
  request: RequestPreview = searchSong,
  signal?: AbortSignal,
): PreviewSearch {
  const { deezerId: knownUrl, albumArt } = song
  if (!knownUrl) return request(song, fresh, signal)
  if (!fresh)
    return { success: true, message: null, result: { source: 'deezer', previewUrl: knownUrl, albumArt } }
  // The address has expired since the song was loaded, and the server may have a newer one.
  const found = await request(song, false, signal)
  return found.result?.previewUrl === knownUrl ? request(song, true, signal) : found
}

const searchSong: RequestPreview = (song, fresh, signal) => {
  const songId = isInCatalogue(song) ? song.id : undefined
  const { artist, title } = uncoverSong(song)
  const query = { artist: artist.slice(0, 200), title: title.slice(0, 200), songId }
  return call(searchPreview, { query: fresh ? { ...query, fresh: 'true' } : query }, signal && { signal })
}
