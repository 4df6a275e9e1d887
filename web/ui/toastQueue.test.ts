import { describe, expect, test } from 'vitest'
import { nextToast, noToast, type ToastEvent } from './toastQueue.ts'

const plain = (title: string): ToastEvent => ({ type: 'toast', toast: { title } })
const queued = (title: string): ToastEvent => ({ type: 'queue', toast: { title } })
const stateAfter = (...events: ToastEvent[]) => events.reduce(nextToast, noToast)

describe('nextToast', () => {
  test('a new toast replaces the one on screen (CONST-01)', () => {
    const state = stateAfter(plain('a'), plain('b'))
    expect(state.shown).toMatchObject({ title: 'b', queued: false })
    expect(state.waiting).toEqual([])
  })

  test('achievements come one after the other, 4 s each (D-54)', () => {
    const state = stateAfter(queued('a'), queued('b'), queued('c'))
    expect(state.shown).toMatchObject({ title: 'a', duration: 4000 })
    const next = nextToast(state, { type: 'ended', turn: state.turn })
    expect(next.shown).toMatchObject({ title: 'b', duration: 4000 })
    expect(next.waiting.map((toast) => toast.title)).toEqual(['c'])
  })

  test('an ordinary toast does not push an achievement away, nor is it lost', () => {
    const state = stateAfter(queued('a'), plain('b'))
    expect(state.shown?.title).toBe('a')
    expect(nextToast(state, { type: 'ended', turn: state.turn }).shown?.title).toBe('b')
  })

  test('an achievement replaces an ordinary toast at once', () => {
    expect(stateAfter(plain('a'), queued('b')).shown?.title).toBe('b')
  })

  test('the end of a toast that was replaced changes nothing', () => {
    const state = stateAfter(plain('a'), plain('b'))
    expect(nextToast(state, { type: 'ended', turn: 1 })).toBe(state)
    expect(nextToast(state, { type: 'ended', turn: 2 }).shown).toBeNull()
  })
})
