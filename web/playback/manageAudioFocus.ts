import { storageKey } from '../api/paths.ts'
import { storageItem } from '../api/storageItem.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { shouldPlay } from './playbackState.ts'

/** A message to the other tabs of this browser. `asks`: whether a tab has its id; that tab answers `taken`. */
type TabMessage = { type: 'plays'; id: string; at: number } | { type: 'asks' | 'taken'; id: string }

const CHANNEL_NAME = storageKey('sound')

/** The tab's id, also after a reload. A duplicated tab begins with the id of its original. */
const tabIdStorage = storageItem('tab', 'tab')

/**
 * Only one tab plays: the one that starts pauses the others. A duplicated tab plays nothing before the first gesture
 * (playback-46). Returns a function that ends it.
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
      // Of two that start in the same millisecond, one plays on.
      const isLater = data.at > playsSince || (data.at === playsSince && data.id > id)
      if (isLater) engine.send({ type: 'pause' })
    } else if (data.id !== id) return
    else if (data.type === 'asks') post({ type: 'taken', id })
    else {
      id = createTabId()
      unblock = blockPlayback(engine, () => engine.getState().hasGesture)
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
    // Firefox refuses it in a page that may store nothing.
    return null
  }
}

/** Pauses whatever starts to play, until `isOver` or until the returned function is called. */
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
