import { stored } from '../api/stored.ts'
import type { Playback } from './playbackState.ts'

type Volume = Pick<Playback, 'volume' | 'muted'>

const setting = stored('loudness')

/** The volume until the listener chooses one (playback-6). */
const DEFAULT_VOLUME: Volume = { volume: 80, muted: false }

/** The listener's volume (0 to 100) and mute, stored in this browser. */
export function recallLoudness(): Volume {
  const kept = setting.readJson()
  return isLoudness(kept) ? { volume: kept.volume, muted: kept.muted } : DEFAULT_VOLUME
}

export const rememberLoudness = ({ volume, muted }: Volume) => setting.save(JSON.stringify({ volume, muted }))

function isLoudness(value: unknown): value is Volume {
  if (typeof value !== 'object' || value === null || !('volume' in value) || !('muted' in value)) return false
  const { volume, muted } = value
  return typeof volume === 'number' && volume >= 0 && volume <= 100 && typeof muted === 'boolean'
}
