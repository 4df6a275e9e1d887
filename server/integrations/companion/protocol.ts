import { hkdfSync } from 'node:crypto'

/* How the server and the Companion process talk to each other. */

/** Path of Companion's calls, on the server and on Companion. */
export const COMPANION_PATH = '/companion'

/** On Companion only: the providers with keys, as JSON. */
export const PROVIDERS_PATH = '/providers'

/** The id of the listener who makes the call. */
export const COMPANION_LISTENER_HEADER = 'x-listener'

/** Where Companion puts the file of a transfer, when files are in a bucket. */
export const STORE_KEY_HEADER = 'x-store-key'

/** The token with which the server authenticates its calls. Both processes derive it from SESSION_SECRET. */
export function companionToken(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'calls to companion', 32)).toString('base64url')
}
