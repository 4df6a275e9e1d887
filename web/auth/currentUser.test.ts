import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CurrentUser } from '../../contract/auth.ts'
import { getMyStats } from '../../contract/profiles.ts'

const fetched = vi.fn<typeof fetch>()
const user = { id: '1', firstName: 'Mina' }
const signedOut = async () => new Response('{"message":"Sign in first"}', { status: 401 })

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('location', { pathname: '/', search: '' })
})
afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

test('requests once, however many components use it (signin-1)', async () => {
  fetched.mockImplementation(async () => Response.json(user))
  const { readSignIn, refreshCurrentUser, watchSignIn } = await import('./currentUser.ts')
  expect(readSignIn().status).toBe('loading')
  const known = refreshCurrentUser()
  watchSignIn(() => {})
  watchSignIn(() => {})
  await known
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(readSignIn()).toEqual({ status: 'known', user })
})

test('a response that was in flight when the profile changed does not overwrite the change', async () => {
  let answerEarly = (_: Response) => {}
  const { readSignIn, refreshCurrentUser } = await import('./currentUser.ts')
  fetched.mockImplementationOnce(() => new Promise((resolve) => (answerEarly = resolve)))
  const before = refreshCurrentUser()
  fetched.mockImplementation(async () => Response.json({ ...user, firstName: 'Mira' }))
  const changes = [refreshCurrentUser(), refreshCurrentUser()]
  answerEarly(Response.json(user))
  await before
  expect(readSignIn().user).toEqual(user)
  await Promise.all(changes)
  expect(readSignIn().user).toEqual({ ...user, firstName: 'Mira' })
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('the user that a change returns is kept without another request, also when an older response arrives later', async () => {
  fetched.mockImplementationOnce(async () => Response.json(user))
  const { keepCurrentUser, readSignIn, refreshCurrentUser } = await import('./currentUser.ts')
  await refreshCurrentUser()
  let answerLate = (_: Response) => {}
  fetched.mockImplementationOnce(() => new Promise((resolve) => (answerLate = resolve)))
  const late = refreshCurrentUser()
  const changed = { ...user, firstName: 'Mira' } as CurrentUser
  keepCurrentUser(changed)
  answerLate(Response.json(user))
  await late
  expect(readSignIn().user).toEqual(changed)
  keepCurrentUser({ ...changed, id: '2', firstName: 'Somebody else' })
  expect(readSignIn().user).toEqual(changed)
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('a 401 means signed out (signin-1)', async () => {
  fetched.mockImplementation(signedOut)
  const { readSignIn, refreshCurrentUser } = await import('./currentUser.ts')
  await refreshCurrentUser()
  expect(readSignIn()).toEqual({ status: 'known', user: null })
})

test('no response is a failure at first, and changes nothing later', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const { readSignIn, refreshCurrentUser } = await import('./currentUser.ts')
  await refreshCurrentUser()
  expect(readSignIn().status).toBe('failed')
  fetched.mockImplementationOnce(async () => Response.json(user))
  await refreshCurrentUser()
  fetched.mockImplementationOnce(async () => new Response('', { status: 503 }))
  await refreshCurrentUser()
  expect(readSignIn()).toEqual({ status: 'known', user })
})

test('a 401 of any other call checks the session again (signin-1)', async () => {
  fetched.mockImplementationOnce(async () => Response.json(user))
  const { readSignIn, refreshCurrentUser } = await import('./currentUser.ts')
  const { call } = await import('../api/call.ts')
  await refreshCurrentUser()
  fetched.mockImplementation(signedOut)
  await expect(call(getMyStats)).rejects.toThrow('401')
  await vi.waitFor(() => expect(readSignIn().user).toBeNull())
})
