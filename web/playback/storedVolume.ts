import { storageItem } from '../api/storageItem.ts'
import type { Playback } from './playbackState.ts'

type Volume = Pick<Playback, 'volume' | 'muted'>

const volumeStorage = storageItem('loudness')

/** The volume until the listener chooses one (playback-6). */
const DEFAULT_VOLUME: Volume = { volume: 80, muted: false }

/** The listener's volume (0 to 100) and mute, stored in this browser. */
export function readStoredVolume(): Volume {
  const storedValue = volumeStorage.readJson()
  return isVolume(storedValue) ? { volume: storedValue.volume, muted: storedValue.muted } : DEFAULT_VOLUME
}

export const storeVolume = ({ volume, muted }: Volume) =>
  volumeStorage.save(JSON.stringify({ volume, muted }))

function isVolume(value: unknown): value is Volume {
  if (typeof value !== 'object' || value === null || !('volume' in value) || !('muted' in value)) return false
  const { volume, muted } = value
  return typeof volume === 'number' && volume >= 0 && volume <= 100 && typeof muted === 'boolean'
}
