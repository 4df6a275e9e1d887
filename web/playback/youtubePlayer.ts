import { config } from '../api/config.ts'
import {
  fitStart,
  type MediaState,
  type OpenPlayer,
  type Player,
  type Signal,
  type VideoSource,
} from './player.ts'

/**
 * A video in YouTube's IFrame API, whose script loads with the first video (playback-10).
 * https://developers.google.com/youtube/iframe_api_reference
 */
export const openYoutubePlayer: OpenPlayer<VideoSource> = (source, slot, onSignal) => {
  let player: YT.Player | null = null
  let listener = onSignal
  let isClosed = false
  let isReady = false
  let hasPlayed = false
  // Until the next video sends another event, 'paused' and 'ended' belong to the previous one.
  let isAwaitingNext = false
  // The requested start until the video's duration is known; then 0.
  let unconfirmedStart = source.start

  const send = (signal: Signal) => {
    if (!isClosed) listener(signal)
  }

  const onState = (code: number) => {
    const state = mediaStates[code]
    if (!state || (isAwaitingNext && (state === 'paused' || state === 'ended'))) return
    isAwaitingNext = false
    if (state === 'playing') hasPlayed = true
    if (correctStart(state)) return
    send({ type: 'state', state })
  }

  /** Seeks if the start does not fit the video's duration. Returns true when the video had ended there and plays again. */
  function correctStart(state: MediaState): boolean {
    const duration = player?.getDuration?.() ?? 0
    if (unconfirmedStart === 0 || (state !== 'ended' && (state !== 'playing' || duration === 0))) return false
    const start = duration > 0 ? fitStart(unconfirmedStart, duration) : 0
    const isRight = start === unconfirmedStart
    unconfirmedStart = 0
    if (isRight) return false
    player?.seekTo?.(start, true)
    if (state === 'ended') player?.playVideo?.()
    return state === 'ended'
  }

  loadIframeApi().then(
    (api) => {
      if (isClosed) return
      const target = document.createElement('div')
      slot.replaceChildren(target)
      player = new api.Player(target, {
        width: '100%',
        height: '100%',
        videoId: source.videoId,
        host: source.strategy === 'no-cookie' ? config.youtubeNoCookieUrl : config.youtubePlayerUrl,
        playerVars: playerVars(source),
        events: {
          onReady: () => {
            isReady = true
            send({ type: 'ready' })
          },
          onStateChange: (event) => onState(event.data),
          onError: (event) => send({ type: 'error', code: event.data }),
          onAutoplayBlocked: () => send({ type: 'blocked' }),
        },
      })
    },
    () => send({ type: 'unavailable' }),
  )

  const handle: Player = {
    play: () => player?.playVideo?.(),
    pause: () => player?.pauseVideo?.(),
    mute: () => player?.mute?.(),
    unmute: () => player?.unMute?.(),
    setVolume: (volume) => player?.setVolume?.(volume),
    seek: (seconds) => player?.seekTo?.(seconds, true),
    position: () => player?.getCurrentTime?.() ?? 0,
    duration: () => player?.getDuration?.() ?? 0,
    /**
     * Reuses a player that has played: the next video starts sooner, and Safari keeps the permission for sound. One that
     * never played may still report an error of its previous video.
     */
    reuse(next, onNextSignal) {
      if (!isReady || !hasPlayed || next.kind !== 'video' || next.strategy !== source.strategy) return false
      listener = onNextSignal
      isAwaitingNext = true
      hasPlayed = false
      unconfirmedStart = next.start
      player?.cueVideoById({ videoId: next.videoId, startSeconds: next.start })
      queueMicrotask(() => listener === onNextSignal && send({ type: 'ready' }))
      return true
    },
    destroy() {
      isClosed = true
      player?.destroy?.()
      slot.replaceChildren()
    },
  }
  return handle
}

const mediaStates: Record<number, MediaState> = {
  [-1]: 'unstarted',
  0: 'ended',
  1: 'playing',
  2: 'paused',
  3: 'buffering',
  5: 'cued',
}

function playerVars({ strategy, start }: VideoSource): YT.PlayerVars {
  const startVars = start > 0 ? { start } : {}
  if (strategy !== 'full') return { playsinline: 1, ...startVars }
  return {
    playsinline: 1,
    autoplay: 0,
    controls: 1,
    rel: 0,
    iv_load_policy: 3,
    origin: location.origin,
    ...startVars,
  }
}

let loadingApi: Promise<typeof YT> | null = null

/** Rejects when the script does not load; the next call retries. The caller has the timeout. */
export function loadIframeApi(): Promise<typeof YT> {
  if (window.YT?.Player) return Promise.resolve(window.YT)
  loadingApi ??= new Promise((resolve, reject) => {
    const previousCallback = window.onYouTubeIframeAPIReady
    window.onYouTubeIframeAPIReady = () => {
      previousCallback?.()
      resolve(window.YT)
    }
    const script = document.createElement('script')
    script.src = `${config.youtubePlayerUrl}/iframe_api`
    script.async = true
    script.onerror = () => {
      script.remove()
      loadingApi = null
      reject(new Error('The video player did not load'))
    }
    document.head.append(script)
  })
  return loadingApi
}

declare global {
  interface Window {
    YT: typeof YT
    onYouTubeIframeAPIReady?: () => void
  }
}
