import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test.each([
  ['', '/profile', '/profile', 'bob:queue'],
  ['/music', '/music/profile', '/music/profile', 'bob/music:queue'],
])(
  'with the path %j in PUBLIC_URL, addresses and names in the storage have it',
  async (basePath, pathname, address, key) => {
    const content = JSON.stringify({ basePath })
    vi.stubGlobal('document', { querySelector: () => ({ content }) })
    vi.stubGlobal('location', { pathname })
    vi.resetModules()
    const { withBasePath: addressOf, currentPath: pathHere, storageKey } = await import('./paths.ts')

    expect(addressOf('/profile')).toBe(address)
    expect(pathHere()).toBe('/profile')
    expect(storageKey('queue')).toBe(key)
  },
)
