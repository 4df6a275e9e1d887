import { pause } from './pause.ts'

export interface Loudness {
  /** 0 to 1. */
  volume: number
  seconds: number
}

/** `blocked`: the browser needs a gesture first. `failed`: the address cannot be played. */
export type Played = 'played' | 'blocked' | 'failed'

/** Plays the start of a sound; stops after its time or when `signal` aborts. */
export async function playFor(
  address: string,
  { volume, seconds }: Loudness,
  signal: AbortSignal,
  onPlaying: () => void,
): Promise<Played> {
  const audio = new Audio(address)
  audio.volume = volume
  const close = () => {
    audio.pause()
    audio.removeAttribute('src')
    audio.load()
  }
  signal.addEventListener('abort', close)
  try {
    await audio.play()
    onPlaying()
    await pause(seconds * 1000, signal)
    return 'played'
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotAllowedError' ? 'blocked' : 'failed'
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}
