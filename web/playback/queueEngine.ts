import { songName } from '../../contract/isolateName.ts'
import type { Song } from '../../contract/shapes.ts'
import type { WritableStore } from '../ui/store.ts'
import { toast } from '../ui/toast.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { isOpen, type Playback } from './playbackState.ts'
import { shuffle, stepQueue } from './queueMachine.ts'
import { currentOf, type Queue, type QueueEffect, type QueueEvent } from './queueState.ts'
import { keepQueue } from './queueStorage.ts'
import { isSounding } from './shownPlayback.ts'
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

/** Runs the effects of `queueMachine` on playback, and follows playback to the end of each song. */
export function runQueue(store: WritableStore<Queue>, playback: PlaybackEngine): QueueEngine {
  /** Where the song continues once it plays. */
  let from: { id: string; seconds: number } | null = null
  /** The attempt of playback whose end was handled. */
  let ended: number | null = null
  /** The song that plays without its video, because the page was hidden. */
  let withoutVideo: string | null = null
  let isSilentUntilShown = false
  /** The song whose preview was found ahead. */
  let expected: string | null = null
  let keeping: ReturnType<typeof setTimeout> | undefined
  /** Before the first queue there is nothing to keep, and a kept one may be on its way. */
  let hadQueue = false
  /** Whether the song was wanted before it proved to have no sound. */
  let wasWanted = false

  const hasTurn = () => store.state().turn === 'queue'
  const stalls = watchStalls(playback, {
    onStall: () => hasTurn() && send({ type: 'failed' }),
    // A player without a connection may say that it plays.
    onAdvance: () => hasTurn() && store.state().failures > 0 && send({ type: 'sounded' }),
  })
  const leaving = new AbortController()
  const { signal } = leaving

  function send(event: QueueEvent) {
    // A song that does not play yet is where it will continue.
    const asked = event.type === 'previous' && from ? { ...event, seconds: from.seconds } : event
    const [next, effects] = stepQueue(store.state(), asked)
    hadQueue ||= next.songs.length > 0
    // First, so that playback's changes are taken for those of the new song.
    store.set(next)
    for (const effect of effects) carryOut(effect)
    follow()
    offerMediaKeys()
    clearTimeout(keeping)
    keeping = setTimeout(keep)
  }

  function carryOut(effect: QueueEffect) {
    switch (effect.do) {
      case 'play':
        return play(effect.song, effect.from)
      case 'show':
        from = startAt(effect.song, effect.from)
        return playback.send({ type: 'show', song: effect.song })
      case 'rewind':
        from = null
        return playback.seek(0)
      case 'stop':
        return playback.send({ type: 'stop' })
      case 'tell':
        return toast(words(effect.what, effect.song))
    }
  }

  /** While the page is hidden no video starts, as YouTube's terms require: its preview plays (playback-45). */
  function play(song: Song, seconds: number) {
    from = startAt(song, seconds)
    const isVideoless = document.hidden && song.youtubeId !== null
    withoutVideo = isVideoless ? song.id : null
    isSilentUntilShown = false
    wasWanted = true
    playback.send({
      type: 'load',
      song: isVideoless ? { ...song, youtubeId: null, youtubeBlocked: false } : song,
    })
  }

  function follow() {
    const state = playback.state()
    const current = currentOf(store.state())
    stalls.follow(hasTurn())
    if (!current || !hasTurn() || !state.song) return
    if (state.song.id !== current.id) {
      from = null
      wasWanted = true
      return send({ type: 'chosen', song: state.song })
    }
    if (state.phase !== 'silent') wasWanted = isSounding(state.phase)
    if (state.phase === 'playing') onPlaying(state, current)
    if (state.phase !== 'ended' && state.phase !== 'silent') ended = null
    else if (ended !== state.token) {
      ended = state.token
      // Playback still carries out the effects of this state.
      queueMicrotask(() => onOver(state))
    }
  }

  function onPlaying({ source }: Playback, { id }: Song) {
    if (from?.id === id) {
      const { seconds } = from
      from = null
      // Another source of the song may be shorter.
      const length = playback.duration()
      if (length === 0 || seconds < length) playback.seek(seconds)
    }
    const { songs, at } = store.state()
    const next = songs[at + 1]
    // A preview is so short that what the next song needs is still good at its end.
    if (source?.kind === 'preview' && next && expected !== next.id) {
      expected = next.id
      playback.send({ type: 'expect', song: next })
    }
  }

  function onOver(state: Playback) {
    const now = playback.state()
    if (!hasTurn() || now.token !== state.token || now.phase !== state.phase) return
    if (state.phase === 'silent') {
      const current = currentOf(store.state())
      if (current && withoutVideo === current.id) {
        if (document.hidden) isSilentUntilShown = true
        else play(current, 0)
      } else if (wasWanted) send({ type: 'failed' })
      return
    }
    // The browser played it without sound: the place is kept until the listener taps.
    if (isOpen(state) && state.sound === 'tap') return
    send({ type: 'ended' })
  }

  function onVisibility() {
    keep()
    const current = currentOf(store.state())
    if (!hasTurn() || !current) return
    const state = playback.state()
    const isStartingVideo =
      state.source?.kind === 'video' && state.phase === 'loading' && state.player !== 'played'
    if (document.hidden ? isStartingVideo : isSilentUntilShown) play(current, from?.seconds ?? 0)
  }

  function keep() {
    if (!hadQueue) return
    const { song, phase } = playback.state()
    const mine = song?.id === currentOf(store.state())?.id
    const seconds = mine ? secondsOf(phase) : (from?.seconds ?? 0)
    keepQueue(store.state(), { sounding: isSounding(phase) || isSilentUntilShown, seconds })
  }

  /** Where the current song continues; a song that ended begins anew. */
  const secondsOf = (phase: Playback['phase']) =>
    from?.seconds ?? (phase === 'ended' ? 0 : playback.position())

  function offerMediaKeys() {
    const session = navigator.mediaSession as MediaSession | undefined
    if (!session) return
    const { turn, songs, at } = store.state()
    const offer = (action: MediaSessionAction, there: boolean, act: () => void) =>
      session.setActionHandler(action, there ? act : null)
    offer('nexttrack', turn === 'queue' && at + 1 < songs.length, () => send({ type: 'next' }))
    offer('previoustrack', turn === 'queue', () => send({ type: 'previous', seconds: playback.position() }))
  }

  const unfollow = playback.subscribe(follow)
  document.addEventListener('visibilitychange', onVisibility, { signal })
  window.addEventListener('pagehide', keep, { signal })

  return {
    send,
    enterDiscover() {
      const { phase } = playback.state()
      send({ type: 'discover-entered', sounding: isSounding(phase), seconds: secondsOf(phase) })
    },
    leaveDiscover: () => send({ type: 'discover-left', playing: playback.state().song?.id ?? null }),
    pauseOnDiscover() {
      const { song } = playback.state()
      if (!hasTurn() && song && song.id === currentOf(store.state())?.id) playback.send({ type: 'pause' })
    },
    shuffle: (songs) => shuffle(songs, Math.random),
    close() {
      clearTimeout(keeping)
      unfollow()
      leaving.abort()
      stalls.close()
    },
  }
}

const startAt = ({ id }: Song, seconds: number) => (seconds > 0 ? { id, seconds } : null)

function words(what: 'skipped' | 'stopped', { title, artist }: Song): Parameters<typeof toast>[0] {
  if (what === 'skipped')
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
