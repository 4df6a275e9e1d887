import type { StoreApi } from 'zustand'
import { songName } from '../../contract/isolateName.ts'
import type { Song } from '../../contract/shapes.ts'
import { toast } from '../ui/toast.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { isPlayerOpen, type Playback, shouldPlay } from './playbackState.ts'
import { shuffle, stepQueue } from './queueMachine.ts'
import { getCurrentSong, type Queue, type QueueEffect, type QueueEvent } from './queueState.ts'
import { storeQueue } from './queueStorage.ts'
import { watchStalls } from './watchStalls.ts'

export interface QueueEngine {
  send(event: QueueEvent): void
  enterDiscover(): void
  leaveDiscover(): void
  pauseOnDiscover(): void
  /** The songs in random order. */
  shuffle(songs: readonly Song[]): Song[]
  close(): void
}

/** Runs the effects of `queueMachine` on playback, and sends it the end of each song. */
export function createQueueEngine(
  store: StoreApi<Queue>,
  playback: PlaybackEngine,
  isStored = true,
): QueueEngine {
  /** The second at which the song continues once it plays. */
  let resumePoint: { id: string; seconds: number } | null = null
  /** Playback's token whose end was handled. */
  let endedToken: number | null = null
  /** The song that plays its preview instead of its video, because the page was hidden. */
  let videolessId: string | null = null
  let isSilentUntilShown = false
  /** The song whose preview was prefetched. */
  let prefetchedId: string | null = null
  let storeTimer: ReturnType<typeof setTimeout> | undefined
  /** Before the first queue nothing is stored, because the stored one may not be restored yet. */
  let hadQueue = false
  /** Whether the song was playing or loading before it turned out to be silent. */
  let wasPlaying = false

  const isActive = () => store.getState().turn === 'queue'
  const stallWatcher = watchStalls(playback, {
    onStall: () => isActive() && send({ type: 'failed' }),
    // Not at the phase 'playing', which a player reports without a connection, too.
    onAdvance: () => isActive() && store.getState().failures > 0 && send({ type: 'advanced' }),
  })
  const abortController = new AbortController()
  const { signal } = abortController

  function send(event: QueueEvent) {
    // Before it plays, a song is at the second where it will continue.
    const adjustedEvent =
      event.type === 'previous' && resumePoint ? { ...event, seconds: resumePoint.seconds } : event
    const [next, effects] = stepQueue(store.getState(), adjustedEvent)
    hadQueue ||= next.songs.length > 0
    // Before the effects, so that playback's changes are attributed to the new song.
    store.setState(next, true)
    for (const effect of effects) runEffect(effect)
    onPlaybackChange()
    updateMediaKeys()
    clearTimeout(storeTimer)
    storeTimer = setTimeout(saveQueue)
  }

  function runEffect(effect: QueueEffect) {
    switch (effect.do) {
      case 'play':
        return play(effect.song, effect.from)
      case 'show':
        resumePoint = createResumePoint(effect.song, effect.from)
        return playback.send({ type: 'show', song: effect.song })
      case 'rewind':
        resumePoint = null
        return playback.seek(0)
      case 'stop':
        return playback.send({ type: 'stop' })
      case 'toast':
        return toast(createToast(effect.toast, effect.song))
    }
  }

  /** On a hidden page previews play, because YouTube's terms forbid starting a video there (playback-45). */
  function play(song: Song, seconds: number) {
    resumePoint = createResumePoint(song, seconds)
    const isVideoless = document.hidden && song.youtubeId !== null
    videolessId = isVideoless ? song.id : null
    isSilentUntilShown = false
    wasPlaying = true
    playback.send({
      type: 'load',
      song: isVideoless ? { ...song, youtubeId: null, youtubeBlocked: false } : song,
    })
  }

  function onPlaybackChange() {
    const state = playback.getState()
    const current = getCurrentSong(store.getState())
    stallWatcher.follow(isActive())
    if (!current || !isActive() || !state.song) return
    if (state.song.id !== current.id) {
      resumePoint = null
      wasPlaying = true
      return send({ type: 'chosen', song: state.song })
    }
    if (state.phase !== 'silent') wasPlaying = shouldPlay(state)
    if (state.phase === 'playing') onPlaying(state, current)
    if (state.phase !== 'ended' && state.phase !== 'silent') endedToken = null
    else if (endedToken !== state.token) {
      endedToken = state.token
      // After playback has run the effects of this state.
      queueMicrotask(() => onSongOver(state))
    }
  }

  function onPlaying({ source }: Playback, { id }: Song) {
    if (resumePoint?.id === id) {
      const { seconds } = resumePoint
      resumePoint = null
      // The song may have another, shorter source now.
      const length = playback.duration()
      if (length === 0 || seconds < length) playback.seek(seconds)
    }
    const { songs, at } = store.getState()
    const next = songs[at + 1]
    // A preview is so short that a prefetched address is still valid at its end.
    if (source?.kind === 'preview' && next && prefetchedId !== next.id) {
      prefetchedId = next.id
      playback.send({ type: 'prefetch', song: next })
    }
  }

  function onSongOver(state: Playback) {
    const now = playback.getState()
    if (!isActive() || now.token !== state.token || now.phase !== state.phase) return
    if (state.phase === 'silent') {
      const current = getCurrentSong(store.getState())
      if (current && videolessId === current.id) {
        if (document.hidden) isSilentUntilShown = true
        else play(current, 0)
      } else if (wasPlaying) send({ type: 'failed' })
      return
    }
    // The browser played it muted: the queue stays here until the listener taps.
    if (isPlayerOpen(state) && state.sound === 'tap') return
    send({ type: 'ended' })
  }

  function onVisibility() {
    saveQueue()
    const current = getCurrentSong(store.getState())
    if (!isActive() || !current) return
    const state = playback.getState()
    const isStartingVideo =
      state.source?.kind === 'video' && state.phase === 'loading' && state.player !== 'played'
    if (document.hidden ? isStartingVideo : isSilentUntilShown) play(current, resumePoint?.seconds ?? 0)
  }

  function saveQueue() {
    if (!hadQueue || !isStored) return
    const state = playback.getState()
    const isOwnSong = state.song?.id === getCurrentSong(store.getState())?.id
    const seconds = isOwnSong ? getSeconds(state.phase) : (resumePoint?.seconds ?? 0)
    storeQueue(store.getState(), { isPlaying: shouldPlay(state) || isSilentUntilShown, seconds })
  }

  /** The second at which the current song would continue; 0 after its end. */
  const getSeconds = (phase: Playback['phase']) =>
    resumePoint?.seconds ?? (phase === 'ended' ? 0 : playback.position())

  function updateMediaKeys() {
    const session = navigator.mediaSession as MediaSession | undefined
    if (!session) return
    const { turn, songs, at } = store.getState()
    const setHandler = (action: MediaSessionAction, isAvailable: boolean, act: () => void) =>
      session.setActionHandler(action, isAvailable ? act : null)
    setHandler('nexttrack', turn === 'queue' && at + 1 < songs.length, () => send({ type: 'next' }))
    setHandler('previoustrack', turn === 'queue', () =>
      send({ type: 'previous', seconds: playback.position() }),
    )
  }

  const unsubscribe = playback.subscribe(onPlaybackChange)
  document.addEventListener('visibilitychange', onVisibility, { signal })
  window.addEventListener('pagehide', saveQueue, { signal })

  return {
    send,
    enterDiscover() {
      const state = playback.getState()
      send({ type: 'discover-entered', isPlaying: shouldPlay(state), seconds: getSeconds(state.phase) })
    },
    leaveDiscover: () => send({ type: 'discover-left', playingId: playback.getState().song?.id ?? null }),
    pauseOnDiscover() {
      const { song } = playback.getState()
      if (!isActive() && song && song.id === getCurrentSong(store.getState())?.id)
        playback.send({ type: 'pause' })
    },
    shuffle: (songs) => shuffle(songs, Math.random),
    close() {
      clearTimeout(storeTimer)
      unsubscribe()
      abortController.abort()
      stallWatcher.close()
    },
  }
}

const createResumePoint = ({ id }: Song, seconds: number) => (seconds > 0 ? { id, seconds } : null)

function createToast(name: 'skipped' | 'stopped', { title, artist }: Song): Parameters<typeof toast>[0] {
  if (name === 'skipped')
    return {
      title: 'No Audio Available',
      description: `${songName({ title, artist })} was skipped.`,
      duration: 4000,
    }
  return {
    title: 'The queue stopped',
    description: 'Several songs in a row did not play. Check your connection, then press play.',
    tone: 'error',
    duration: 4000,
  }
}
