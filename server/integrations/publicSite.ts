/** What a browser would get. A failure is a value: a code such as ECONNREFUSED. */
export type PublicAnswer = { status: number; headers: Headers; text: string } | { failure: string }

/** Milliseconds. */
const TIMEOUT = 5000

/** Requests an address of this service from outside, through its proxy. Redirects are not followed. */
export async function fetchPublic(address: URL, headers: Record<string, string> = {}): Promise<PublicAnswer> {
  try {
    const answer = await fetch(address, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) })
    return { status: answer.status, headers: answer.headers, text: (await answer.text()).slice(0, 1000) }
  } catch (error) {
    return { failure: codeOf(error) }
  }
}

/** fetch wraps the reason, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
function codeOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(reason instanceof Error)) return 'unknown'
  return 'code' in reason && typeof reason.code === 'string' ? reason.code : reason.message || reason.name
}
