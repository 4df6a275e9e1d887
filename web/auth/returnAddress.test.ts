import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasSessionEnded, openReturnAddress, saveReturnAddress } from './returnAddress.ts'

const storage = new Map<string, string>()
const openedAddress = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  storage.clear()
  openedAddress.mockReset()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
  vi.stubGlobal('history', {
    replaceState: (_state: unknown, _title: string, to: string) => openedAddress(to),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function setLocation(address: string) {
  const { pathname, search } = new URL(address, 'http://bob.test')
  vi.stubGlobal('location', { pathname, search })
}

const visit = (address: string, { sessionEnded = false } = {}) => {
  setLocation(address)
  saveReturnAddress(sessionEnded)
}

const signIn = () => {
  setLocation('/')
  openReturnAddress()
}

test.each([
  '/?section=library&microgenre=3',
  '/profile',
  '/microgenres?microgenre=3',
  '/desk',
  '/verification',
  '/auth-test/',
  '/coverage',
  '/feedback',
])('opens %s after sign-in, once (signin-13)', (address) => {
  visit(address)
  visit('/auth?error=link-used')
  signIn()
  signIn()
  expect(openedAddress.mock.calls).toEqual([[address]])
})

test.each(['/auth', '/no-such-page', '/profile/else', '/api/logout', '/privacy'])(
  'does not open %s after sign-in',
  (address) => {
    visit(address)
    signIn()
    expect(openedAddress).not.toHaveBeenCalled()
  },
)

test.each([
  '//evil.test/profile',
  'https://evil.test',
  'javascript:alert(1)',
  '/\\evil.test',
  '/api/logout',
  7,
])('does not open %j, whoever wrote it into the storage', (address) => {
  visit('/profile')
  const [key = ''] = storage.keys()
  storage.set(key, JSON.stringify({ address, at: Date.now(), sessionEnded: false }))
  signIn()
  for (const text of ['', '{', 'null', '[]']) {
    storage.set(key, text)
    signIn()
  }
  expect(openedAddress).not.toHaveBeenCalled()
  expect(storage.size).toBe(0)
})

test('removes it on the landing page, after an hour, and when another page is opened', () => {
  visit('/profile')
  visit('/')
  signIn()
  visit('/profile')
  vi.advanceTimersByTime(60 * 60_000)
  signIn()
  visit('/profile')
  setLocation('/verification')
  openReturnAddress()
  signIn()
  expect(openedAddress).not.toHaveBeenCalled()
})

test('knows that a session has ended until the next sign-in (signin-2)', () => {
  visit('/profile')
  expect(hasSessionEnded()).toBe(false)
  visit('/', { sessionEnded: true })
  expect(hasSessionEnded()).toBe(true)
  signIn()
  expect(hasSessionEnded()).toBe(false)
})

test('without storage nothing is saved and nothing breaks', () => {
  vi.stubGlobal('localStorage', undefined)
  visit('/profile', { sessionEnded: true })
  signIn()
  expect(hasSessionEnded()).toBe(false)
})
