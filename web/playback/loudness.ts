import { storageKey } from '../api/address.ts'
import type { Playback } from './playbackState.ts'

type Loudness = Pick<Playback, 'volume' | 'muted'>

const KEY = storageKey('loudness')

/** The volume until the listener chooses one (playback-6). */
const DEFAULT: Loudness = { volume: 80, muted: false }

/** The listener's volume (0 to 100) and mute, stored in this browser. */
export function recallLoudness(): Loudness {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isLoudness(kept) ? { volume: kept.volume, muted: kept.muted } : DEFAULT
  } catch {
    return DEFAULT
  }
}

export function rememberLoudness({ volume, muted }: Loudness) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ volume, muted }))
  } catch {
    // Without storage the setting lasts as long as the page.
  }
}

function isLoudness(value: unknown): value is Loudness {
  if (typeof value !== 'object' || value === null || !('volume' in value) || !('muted' in value)) return false
  const { volume, muted } = value
  return typeof volume === 'number' && volume >= 0 && volume <= 100 && typeof muted === 'boolean'
}
