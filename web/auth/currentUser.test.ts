import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CurrentUser, sendMagicLink } from '../../contract/auth.ts'
import { LISTENER_HEADER } from '../../contract/endpoint.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { removePhoto } from '../../contract/uploads.ts'

const fetchMock = vi.fn<typeof fetch>()
const user = { id: '1', firstName: 'Mina' }
const signedOut = async () => new Response('{"message":"Sign in first"}', { status: 401 })

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('fetch', fetchMock)
  vi.stubGlobal('location', { pathname: '/', search: '' })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  fetchMock.mockReset()
  vi.unstubAllGlobals()
})

test('requests once, however many ask at a time (signin-1)', async () => {
  fetchMock.mockImplementation(async () => Response.json(user))
  const { readCurrentUser, refreshCurrentUser } = await import('./currentUser.ts')
  expect(readCurrentUser()).toBeUndefined()
  await Promise.all([refreshCurrentUser(), refreshCurrentUser()])
  expect(fetchMock).toHaveBeenCalledTimes(1)
  expect(readCurrentUser()).toEqual(user)
})

test('a response that was in flight when the profile changed does not overwrite the change', async () => {
  let respondEarly = (_: Response) => {}
  const { readCurrentUser, refreshCurrentUser } = await import('./currentUser.ts')
  fetchMock.mockImplementationOnce(() => new Promise((resolve) => (respondEarly = resolve)))
  const before = refreshCurrentUser()
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(1))
  fetchMock.mockImplementation(async () => Response.json({ ...user, firstName: 'Mira' }))
  await Promise.all([refreshCurrentUser(), refreshCurrentUser()])
  respondEarly(Response.json(user))
  await before
  expect(readCurrentUser()).toEqual({ ...user, firstName: 'Mira' })
  expect(fetchMock).toHaveBeenCalledTimes(2)
})

test('the user that a change returns replaces the known one, without a request and for good', async () => {
  fetchMock.mockImplementationOnce(async () => Response.json(user))
  const { setCurrentUser, readCurrentUser, refreshCurrentUser } = await import('./currentUser.ts')
  await refreshCurrentUser()
  let answerLate = (_: Response) => {}
  fetchMock.mockImplementationOnce(() => new Promise((resolve) => (answerLate = resolve)))
  const late = refreshCurrentUser()
  await vi.waitFor(() => expect(fetchMock).toHaveBeenCalledTimes(2))
  const changed = { ...user, firstName: 'Mira' } as CurrentUser
  setCurrentUser(changed)
  answerLate(Response.json(user))
  await late
  expect(readCurrentUser()).toEqual(changed)
  setCurrentUser({ ...changed, id: '2', firstName: 'Somebody else' })
  expect(readCurrentUser()).toEqual(changed)
  expect(fetchMock).toHaveBeenCalledTimes(2)
})

test('a 401 means signed out (signin-1)', async () => {
  fetchMock.mockImplementation(signedOut)
  const { readCurrentUser, refreshCurrentUser } = await import('./currentUser.ts')
  await refreshCurrentUser()
  expect(readCurrentUser()).toBeNull()
})

test('no response is a failure at first, and changes nothing later', async () => {
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const { readCurrentUser, refreshCurrentUser } = await import('./currentUser.ts')
  await refreshCurrentUser()
  expect(readCurrentUser()).toBeUndefined()
  fetchMock.mockImplementationOnce(async () => Response.json(user))
  await refreshCurrentUser()
  fetchMock.mockImplementationOnce(async () => new Response('', { status: 503 }))
  await refreshCurrentUser()
  expect(readCurrentUser()).toEqual(user)
})

test('a 401 of any other call checks the session again (signin-1)', async () => {
  fetchMock.mockImplementationOnce(async () => Response.json(user))
  const { readCurrentUser, refreshCurrentUser } = await import('./currentUser.ts')
  const { call } = await import('../api/call.ts')
  await refreshCurrentUser()
  fetchMock.mockImplementation(signedOut)
  await expect(call(getMyStats)).rejects.toThrow('401')
  await vi.waitFor(() => expect(readCurrentUser()).toBeNull())
})

describe('signin-26: another tab', () => {
  const posted = vi.fn()
  const reload = vi.fn()
  const page = new EventTarget()
  let tabs: { onmessage?: (message: { data: string | null }) => void } = {}

  /** The page of listener 1, which follows the other tabs. */
  async function openPage(shown: string | null = '1', open = () => {}) {
    vi.stubGlobal('BroadcastChannel', function (this: typeof tabs) {
      open()
      tabs = Object.assign(this, { postMessage: posted.mockReset() })
    })
    vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible', querySelector: () => null }))
    vi.stubGlobal('location', { pathname: '/', search: '', reload: reload.mockReset() })
    const signIn = await import('./currentUser.ts')
    const { call } = await import('../api/call.ts')
    signIn.syncAcrossTabs()
    answer(shown)
    await signIn.refreshCurrentUser()
    fetchMock.mockClear()
    return { ...signIn, call, tell: (id: string | null) => tabs.onmessage?.({ data: id }) }
  }
  const answer = (id: string | null) =>
    fetchMock.mockImplementation(id ? async () => Response.json({ id }) : signedOut)
  const sentAs = () =>
    fetchMock.mock.calls.map(([, options]) => new Headers(options?.headers).get(LISTENER_HEADER))

  test('gets the id of the user, and its own message makes this page fetch the user again', async () => {
    const { tell: sendMessage, readCurrentUser } = await openPage()
    expect(posted.mock.calls).toEqual([['1']])
    sendMessage('1')
    expect(fetchMock).not.toHaveBeenCalled()
    answer(null)
    sendMessage(null)
    await vi.waitFor(() => expect(readCurrentUser()).toBeNull())
    expect(posted.mock.calls).toEqual([['1'], [null]])
    answer('1')
    sendMessage('1')
    await vi.waitFor(() => expect(readCurrentUser()?.id).toBe('1'))
    expect(reload).not.toHaveBeenCalled()
  })

  test('with another account reloads this page, even if its message was lost', async () => {
    for (const trigger of ['message', 'visible', '409', 'after a sign-out'] as const) {
      vi.resetModules()
      const { tell: sendMessage, call, readCurrentUser } = await openPage()
      if (trigger === 'after a sign-out') {
        answer(null)
        sendMessage(null)
        await vi.waitFor(() => expect(readCurrentUser()).toBeNull())
      }
      answer('2')
      if (trigger === 'visible') page.dispatchEvent(new Event('visibilitychange'))
      else if (trigger === '409') {
        fetchMock.mockImplementationOnce(async () => new Response('{}', { status: 409 }))
        await call(removePhoto).catch(() => {})
      } else sendMessage('2')
      await vi.waitFor(() => expect(reload, trigger).toHaveBeenCalled())
      // Until then it stays the page of the first listener.
      expect(readCurrentUser()?.id ?? '1').toBe('1')
    }
  })

  test('cannot make this page send what was entered here as somebody else', async () => {
    const { call, tell: sendMessage, readCurrentUser } = await openPage()
    answer(null)
    sendMessage(null)
    await vi.waitFor(() => expect(readCurrentUser()).toBeNull())
    fetchMock.mockClear().mockImplementation(async () => Response.json({}))
    await call(removePhoto)
    await call(getMyStats)
    expect(sentAs()).toEqual(['1', null])
  })

  test('is noticed when this page becomes visible, where a browser allows no messages', async () => {
    const { readCurrentUser } = await openPage('1', () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    answer(null)
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(readCurrentUser()).toBeNull())
  })

  test('does not make a visitor send the id of a listener', async () => {
    const { call } = await openPage(null)
    fetchMock.mockClear().mockImplementation(async () => Response.json({}))
    await call(sendMagicLink, { body: { email: 'mina@example.org' } })
    expect(sentAs()).toEqual([null])
  })
})

test.each([
  [
    'redirects to its sign-in page',
    () =>
      ({
        ...new Response(),
        type: 'opaqueredirect',
        status: 0,
        ok: false,
        headers: new Headers(),
        text: async () => '',
      }) as unknown as Response,
  ],
  [
    'sends its sign-in page',
    () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  ],
  [
    'forbids with a page',
    () => new Response('<html>', { status: 403, headers: { 'content-type': 'text/html' } }),
  ],
])('a proxy that %s: the user stays, and signs in again by a reload (calls-13)', async (_, answer) => {
  const reload = vi.fn()
  vi.stubGlobal('location', { pathname: '/', search: '', reload })
  fetchMock.mockImplementationOnce(async () => Response.json(user))
  const { readCurrentUser, refreshCurrentUser } = await import('./currentUser.ts')
  const { useToasts } = await import('../ui/toast.ts')
  const { call } = await import('../api/call.ts')
  await refreshCurrentUser()
  fetchMock.mockImplementation(async () => answer())
  await expect(call(getMyStats)).rejects.toThrow('proxy')
  await vi.waitFor(() => expect(useToasts.getState().shown?.action?.label).toBe('Sign in again'))
  expect(readCurrentUser()).toEqual(user)
  useToasts.getState().shown?.action?.run()
  expect(reload).toHaveBeenCalledOnce()
})

test('a bad gateway is a failure, not a sign-in (calls-13)', async () => {
  fetchMock.mockImplementation(
    async () => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
  )
  const { call } = await import('../api/call.ts')
  await expect(call(getMyStats)).rejects.toThrow('502')
  expect(fetchMock).toHaveBeenCalledTimes(1)
})
