import type { Listenbrainz } from '../../integrations/listenbrainz.ts'
import type { Musicbrainz } from '../../integrations/musicbrainz.ts'
import { createAsking, type RetryOptions } from '../askUntilAnswered.ts'

export interface GrowServices {
  /** Null without a token. */
  listenbrainz: Listenbrainz | null
  musicbrainz: Musicbrainz
}

/** Asks a service until it answers; undefined when it does not. Rejects as soon as the run is stopped. */
type Ask = <T>(ask: () => Promise<T | undefined>) => Promise<T | undefined>

/** The services of a run, which count together how often each did not answer. */
export interface Asking extends GrowServices {
  askMusicbrainz: Ask
  askListenbrainz: Ask
}

export function askServices(services: GrowServices, retry: RetryOptions, signal?: AbortSignal): Asking {
  const askAs = (name: string): Ask => {
    const ask = createAsking(name, retry, signal)
    return (question) => unlessAborted(() => ask(question), signal)
  }
  return { ...services, askMusicbrainz: askAs('MusicBrainz'), askListenbrainz: askAs('ListenBrainz') }
}

/** A client waits for up to a minute; a server that stops does not. */
async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work()
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
