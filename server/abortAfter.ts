/**
 * Aborts with `signal`, or after so many milliseconds. Node forgets an `AbortSignal.timeout` that only
 * `AbortSignal.any` refers to, which then never aborts.
 */
export function abortAfter(milliseconds: number, signal: AbortSignal): AbortSignal {
  const limit = new AbortController()
  setTimeout(() => limit.abort(), milliseconds).unref()
  return AbortSignal.any([signal, limit.signal])
}
