import type { ObjectStore, SignedAddress } from './ObjectStore.ts'

/** Milliseconds per call. */
const TIMEOUT = 5000

const TEST_TYPE = 'image/jpeg'
const TEST_CONTENT = 'Written by npm run doctor.'

/**
 * Sends a whole file and a part to the bucket as a page at `origin` does, and deletes them. Returns what a browser
 * would reject, or null. Some stores have separate CORS rules for parts, so both are tried.
 */
export async function findCorsFault(store: ObjectStore, key: string, origin: string): Promise<string | null> {
  try {
    const whole = await store.signUpload(key, {
      type: TEST_TYPE,
      limit: TEST_CONTENT.length,
      size: TEST_CONTENT.length,
    })
    const fault = await sendAsPage(whole, origin)
    if (fault) return `a photo ${fault}`
  } finally {
    await store.remove(key)
  }
  const uploadId = await store.startParts(key, TEST_TYPE)
  try {
    const fault = await sendAsPage(await store.signPart(key, uploadId, 1, TEST_CONTENT.length), origin, [
      'etag',
    ])
    return fault && `a part of a large file ${fault}`
  } finally {
    await store.abortParts(key, uploadId)
  }
}

/** `read` are the response headers that the page needs. */
async function sendAsPage(
  { url, method, headers }: SignedAddress,
  origin: string,
  neededHeaders: string[] = [],
): Promise<string | null> {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const preflight = await ask(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      ...(names.length > 0 && { 'access-control-request-headers': names.join(',') }),
    },
  })
  const allowed =
    preflight.ok &&
    isOriginAllowed(preflight, origin) &&
    listsValue(preflight, 'access-control-allow-methods', method) &&
    names.every((name) => listsValue(preflight, 'access-control-allow-headers', name))
  if (!allowed) {
    const list = names.length > 0 ? ` and the header ${names.join(', ')}` : ''
    return `cannot be sent from ${origin} with ${method}${list}`
  }

  const sent = await ask(url, { method, headers: { ...headers, origin }, body: TEST_CONTENT })
  if (!sent.ok) return `is rejected with status ${sent.status}`
  if (!isOriginAllowed(sent, origin)) return `is accepted, but pages of ${origin} cannot read the response`
  const hidden = neededHeaders.find((name) => !listsValue(sent, 'access-control-expose-headers', name))
  return hidden ? `is accepted, but pages cannot read the response header ${hidden}` : null
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) })
  await answer.body?.cancel()
  return answer
}

function isOriginAllowed({ headers }: Response, origin: string): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '')
}

function listsValue({ headers }: Response, header: string, value: string): boolean {
  const listed = (headers.get(header) ?? '').split(',').map((one) => one.trim().toLowerCase())
  return listed.includes('*') || listed.includes(value.toLowerCase())
}
