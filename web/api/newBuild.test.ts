import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const reload = vi.fn()
const stored = new Map<string, string>()
let texts: { value: string; form: unknown }[] = []
let activeElement: unknown = null

beforeEach(() => {
  vi.resetModules()
  stored.clear()
  texts = []
  activeElement = null
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => reload.mockReset())

/** A page of the build, just loaded. */
async function load(build?: string) {
  vi.resetModules()
  vi.stubGlobal('document', {
    querySelector: () => ({ content: JSON.stringify({ build }) }),
    querySelectorAll: () => texts,
    get activeElement() {
      return activeElement
    },
  })
  const page = await import('./newBuild.ts')
  return {
    ...page,
    /** Whether it reloads at the next navigation, after an answer of the build. */
    reloadsAfter(answered: string | null) {
      page.recordServerBuild(new Response('', { headers: answered === null ? {} : { 'x-build': answered } }))
      reload.mockReset()
      page.reloadForNewBuild()
      return reload.mock.calls.length === 1
    },
  }
}

test('screens-24: a page reloads for another build, and not for its own or in development', async () => {
  expect((await load('one')).reloadsAfter('one')).toBe(false)
  expect((await load('one')).reloadsAfter(null)).toBe(false)
  expect((await load()).reloadsAfter('two')).toBe(false)
  expect((await load('one')).reloadsAfter('two')).toBe(true)
})

test('screens-24: once for each build, also when servers of two builds answer in turn', async () => {
  expect((await load('one')).reloadsAfter('two')).toBe(true)
  expect((await load('one')).reloadsAfter('two')).toBe(false)
  expect((await load('two')).reloadsAfter('one')).toBe(true)
  expect((await load('one')).reloadsAfter('two')).toBe(false)
  expect((await load('one')).reloadsAfter('three')).toBe(true)
})

test('screens-24: not while something is sent or typed, and not without storage', async () => {
  const page = await load('one')
  let end = () => {}
  const sent = page.trackMutation(() => new Promise<void>((resolve) => (end = resolve)))
  expect(page.reloadsAfter('two')).toBe(false)
  end()
  await sent
  const text = { value: 'A thought', form: {} }
  texts = [text]
  expect(page.reloadsAfter('two')).toBe(false)
  texts = [{ value: '', form: {} }]
  activeElement = texts[0]
  expect(page.reloadsAfter('two')).toBe(false)
  activeElement = null
  vi.stubGlobal('sessionStorage', undefined)
  expect(page.reloadsAfter('two')).toBe(false)
})
