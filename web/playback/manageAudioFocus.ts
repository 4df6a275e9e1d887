import { storageKey } from '../api/paths.ts'
import { storageItem } from '../api/storageItem.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { shouldPlay } from './playbackMachine.ts'

/** To the other tabs of this browser. `asks`: another tab with this id answers that it is taken. */
type TabMessage = { type: 'plays'; id: string; at: number } | { type: 'asks' | 'taken'; id: string }

const CHANNEL_NAME = storageKey('sound')

/** Of this tab, also after a reload. A duplicate of a tab begins with its id. */
const tabIdStorage = storageItem('tab', 'tab')

/**
 * One tab sounds: the one that begins to play pauses the others, which keep their song and place. A duplicate of a tab
 * plays nothing by itself (playback-46). Returns a function that ends it.
 */
export function manageAudioFocus(engine: PlaybackEngine): () => void {
  const channel = openChannel()
  if (!channel) return () => {}
  const previousId = tabIdStorage.read()
  let id = previousId ?? createTabId()
  let playsSince = 0
  let isPlaying = false
  let unblock = () => {}

  const post = (message: TabMessage) => channel.postMessage(message)

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'plays') {
      // Of two that begin at the same moment the later one plays on.
      const isLater = data.at > playsSince || (data.at === playsSince && data.id > id)
      if (isLater) engine.send({ type: 'pause' })
    } else if (data.id !== id) return
    else if (data.type === 'asks') post({ type: 'taken', id })
    else {
      id = createTabId()
      unblock = blockPlayback(engine, () => engine.getState().interacted)
    }
  }
  if (previousId) post({ type: 'asks', id })

  const unsubscribe = engine.subscribe(() => {
    const wasPlaying = isPlaying
    isPlaying = engine.getState().phase === 'playing'
    if (!isPlaying || wasPlaying) return
    playsSince = Date.now()
    post({ type: 'plays', id, at: playsSince })
  })
  return () => {
    unsubscribe()
    unblock()
    channel.close()
  }
}

function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL_NAME)
  } catch {
    // Firefox refuses it where it may store nothing.
    return null
  }
}

/** Pauses what begins to play, until `isOver` or until the returned function is called. */
export function blockPlayback(engine: PlaybackEngine, isOver = () => false, onPause = () => {}): () => void {
  const pause = () => {
    if (isOver()) return unsubscribe()
    if (!shouldPlay(engine.getState())) return
    onPause()
    engine.send({ type: 'pause' })
  }
  const unsubscribe = engine.subscribe(pause)
  pause()
  return unsubscribe
}

function createTabId(): string {
  const id = Math.random().toString(36).slice(2)
  tabIdStorage.save(id)
  return id
}
