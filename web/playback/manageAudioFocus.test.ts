import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import { makeSong } from '../../tests/makeSong.ts'
import { manageAudioFocus } from './manageAudioFocus.ts'
import type { PlaybackEngine } from './playbackEngine.ts'
import { initialPlayback, type Playback } from './playbackState.ts'

/* Tabs are simulated by several engines and Node's BroadcastChannel (playback-46). */

const closeCallbacks: (() => void)[] = []
let tabStorage: Map<string, string>

beforeEach(() => stubTabStorage())
afterEach(() => {
  for (const close of closeCallbacks.splice(0)) close()
  vi.unstubAllGlobals()
})

/** That of another tab. */
function stubTabStorage(): void {
  tabStorage = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tabStorage.get(key) ?? null,
    setItem: (key: string, value: string) => tabStorage.set(key, value),
  })
}

/** A tab whose player does at once what it should. */
function openTab() {
  const store = createStore<Playback>()(() => initialPlayback)
  const setPhase = (phase: 'playing' | 'paused' | 'loading', hasGesture = store.getState().hasGesture) =>
    store.setState(
      { ...initialPlayback, song: makeSong('1'), phase, hasGesture } as unknown as Playback,
      true,
    )
  const engine = {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    send: ({ type }: { type: string }) => type === 'pause' && store.getState().song && setPhase('paused'),
  } as unknown as PlaybackEngine
  const close = manageAudioFocus(engine)
  closeCallbacks.push(close)
  return { setPhase, close, phase: () => store.getState().phase }
}

function openOtherTab() {
  stubTabStorage()
  return openTab()
}

/** Until every message has arrived. */
const waitForMessages = () => new Promise((resolve) => setTimeout(resolve, 50))

/** In a later millisecond. */
async function play(tab: ReturnType<typeof openTab>) {
  await waitForMessages()
  tab.setPhase('playing')
  await waitForMessages()
}

test('the tab that begins to play pauses the others, which do not answer', async () => {
  const [one, two, three] = [openTab(), openOtherTab(), openOtherTab()]
  await play(one)
  await play(two)
  expect([one, two, three].map(({ phase }) => phase())).toEqual(['paused', 'playing', 'idle'])
  one.setPhase('loading')
  await waitForMessages()
  expect(two.phase()).toBe('playing')
  await play(one)
  expect([one, two].map(({ phase }) => phase())).toEqual(['playing', 'paused'])
})

test('of tabs that begin at the same moment one sounds', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(1)
  const tabs = [openTab(), openOtherTab(), openOtherTab()]
  for (const tab of tabs) tab.setPhase('playing')
  await waitForMessages()
  expect(tabs.filter(({ phase }) => phase() === 'playing')).toHaveLength(1)
})

test('a duplicate of a tab plays nothing before the listener does something, and its original plays on', async () => {
  const original = openTab()
  await play(original)
  const duplicate = openTab()
  duplicate.setPhase('loading')
  await waitForMessages()
  duplicate.setPhase('playing')
  expect(duplicate.phase()).toBe('paused')
  expect(original.phase()).toBe('playing')
  duplicate.setPhase('playing', true)
  await waitForMessages()
  expect([original, duplicate].map(({ phase }) => phase())).toEqual(['paused', 'playing'])
})

test('a tab that was reloaded, or duplicated from one that is closed, plays by itself', async () => {
  const before = openTab()
  await play(before)
  before.close()
  const after = openTab()
  await play(after)
  expect(after.phase()).toBe('playing')
})
