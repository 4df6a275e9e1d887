import { afterEach, describe, expect, test, vi } from 'vitest'
import { initialToastState, type ToastEvent, toast, toastReducer, useToasts } from './toast.ts'

const plain = (title: string): ToastEvent => ({ type: 'toast', toast: { title } })
const error = (title: string): ToastEvent => ({ type: 'toast', toast: { title, tone: 'error' } })
const queued = (title: string): ToastEvent => ({ type: 'queue', toast: { title } })
const stateAfter = (...events: ToastEvent[]) => events.reduce(toastReducer, initialToastState)

afterEach(() => vi.unstubAllGlobals())

test('screens-8: offline, an error that asks to try again says so', () => {
  vi.stubGlobal('navigator', { onLine: false })
  toast.error('Failed to rate song. Please try again.')
  expect(useToasts.getState().shown?.description).toBe(
    'Failed to rate song. Please try again. You are offline.',
  )
  toast.error('Please copy the link manually.')
  expect(useToasts.getState().shown?.description).toBe('Please copy the link manually.')
})

describe('toastReducer', () => {
  test('a new toast replaces the one on screen (screens-8)', () => {
    const state = stateAfter(plain('a'), plain('b'))
    expect(state.shown).toMatchObject({ title: 'b', isQueued: false })
    expect(state.waiting).toEqual([])
  })

  test('achievements show one after the other, 4 s each (community-14)', () => {
    const state = stateAfter(queued('a'), queued('b'), queued('c'))
    expect(state.shown).toMatchObject({ title: 'a', duration: 4000 })
    const next = toastReducer(state, { type: 'ended', id: state.lastId })
    expect(next.shown).toMatchObject({ title: 'b', duration: 4000 })
    expect(next.waiting.map((toast) => toast.title)).toEqual(['c'])
  })

  test('an ordinary toast does not replace an achievement, and is not lost', () => {
    const state = stateAfter(queued('a'), plain('b'))
    expect(state.shown?.title).toBe('a')
    expect(toastReducer(state, { type: 'ended', id: state.lastId }).shown?.title).toBe('b')
  })

  test('an achievement waits for the toast on screen, such as what a covered song was (discover-92)', () => {
    const state = stateAfter(plain('a'), queued('b'))
    expect(state.shown?.title).toBe('a')
    expect(toastReducer(state, { type: 'ended', id: state.lastId }).shown?.title).toBe('b')
  })

  test('an error shows at once; the achievement that it interrupts returns after it (community-14)', () => {
    const state = stateAfter(queued('a'), queued('b'), plain('c'), error('d'))
    expect(state.shown?.title).toBe('d')
    const titles: (string | undefined)[] = []
    for (let now = state; now.shown; now = toastReducer(now, { type: 'ended', id: now.lastId }))
      titles.push(now.shown.title)
    expect(titles).toEqual(['d', 'a', 'b', 'c'])
  })

  test('information and achievements wait behind an error', () => {
    const state = stateAfter(error('a'), plain('b'), queued('c'))
    expect(state.shown?.title).toBe('a')
    expect(state.waiting.map(({ title }) => title)).toEqual(['b', 'c'])
  })

  test('another error, or the success of a retry, replaces an error', () => {
    expect(stateAfter(error('a'), error('b')).shown?.title).toBe('b')
    const success: ToastEvent = { type: 'toast', toast: { title: 'c', tone: 'success' } }
    expect(stateAfter(error('a'), success)).toMatchObject({ shown: { title: 'c' }, waiting: [] })
  })

  test('the end of a replaced toast changes nothing', () => {
    const state = stateAfter(plain('a'), plain('b'))
    expect(toastReducer(state, { type: 'ended', id: 1 })).toBe(state)
    expect(toastReducer(state, { type: 'ended', id: 2 }).shown).toBeNull()
  })

  test('a toast with a button returns after any that interrupts it, and achievements wait (screens-8)', () => {
    const undo: ToastEvent = {
      type: 'toast',
      toast: { name: 'u', title: 'undo', tone: 'success', action: { label: 'Undo', run() {} } },
    }
    for (const other of [plain('a'), error('a')]) {
      const state = stateAfter(undo, other)
      expect(state.shown?.title).toBe('a')
      expect(toastReducer(state, { type: 'ended', id: state.lastId }).shown?.title).toBe('undo')
      expect(toastReducer(state, { type: 'dropped', name: 'u' })).toMatchObject({
        waiting: [],
        shown: { title: 'a' },
      })
      expect(toastReducer(state, undo)).toMatchObject({ shown: { title: 'undo' }, waiting: [] })
    }
    expect(stateAfter(undo, queued('a')).shown?.title).toBe('undo')
    expect(stateAfter(undo, undo)).toMatchObject({ shown: { title: 'undo' }, waiting: [] })
    expect(stateAfter(undo, { type: 'dropped', name: 'u' }).shown).toBeNull()
  })
})
