import { describe, expect, test } from 'vitest'
import { type Focused, hotkeyOf, isControl, type Press } from './hotkeyRules.ts'

describe('hotkeyOf', () => {
  test('identifies keys by event.key, ignoring the case of letters', () => {
    expect(hotkeyOf(press('ArrowRight'))).toBe('ArrowRight')
    expect(hotkeyOf(press('U'))).toBe('u')
    expect(hotkeyOf(press('?'))).toBe('?')
    expect(hotkeyOf(press(' '))).toBe(' ')
  })

  test.each(['ctrlKey', 'altKey', 'metaKey', 'repeat', 'defaultPrevented'] as const)(
    'nothing with %s (screens-6)',
    (flag) => {
      expect(hotkeyOf({ ...press('1'), [flag]: true })).toBeNull()
    },
  )

  test.each(['input', 'textarea', 'select'])('nothing in %s (screens-6)', (tag) => {
    expect(hotkeyOf(press('2', focused(tag)))).toBeNull()
  })

  test('nothing in editable text', () => {
    expect(hotkeyOf(press('2', { ...focused('div'), isContentEditable: true }))).toBeNull()
  })

  test('Space on a focused button or link only presses it; other keys are hotkeys', () => {
    expect(hotkeyOf(press(' ', focused('button')))).toBeNull()
    expect(hotkeyOf(press(' ', focused('a[href]')))).toBeNull()
    expect(hotkeyOf(press(' ', focused('main')))).toBe(' ')
    expect(hotkeyOf(press('ArrowLeft', focused('button')))).toBe('ArrowLeft')
    expect(hotkeyOf(press('1', focused('button')))).toBe('1')
  })

  test('a slider keeps the arrows that it needs, and no other keys (screens-6)', () => {
    const slider = focused('input', '[type=range]')
    expect(hotkeyOf(press('ArrowLeft', slider))).toBeNull()
    expect(hotkeyOf(press(' ', slider))).toBe(' ')
    expect(hotkeyOf(press('2', slider))).toBe('2')
  })

  test('after a click or touch a control keeps no keys, and a text field keeps them all (screens-6)', () => {
    const byPointer = (key: string, ...names: string[]) =>
      hotkeyOf({ ...press(key, focused(...names)), byPointer: true })
    expect(byPointer('ArrowLeft', 'input', '[type=range]')).toBe('ArrowLeft')
    expect(byPointer(' ', 'button')).toBe(' ')
    expect(byPointer(' ', 'input', '[type=checkbox]')).toBe(' ')
    expect(byPointer(' ', 'textarea')).toBeNull()
    expect(byPointer('2', 'select')).toBeNull()
  })

  test('arrows inside a tab list belong to it', () => {
    expect(hotkeyOf(press('ArrowLeft', focused('[role=tablist]')))).toBeNull()
  })
})

test('isControl: elements that handle keys, except text fields and regions', () => {
  expect(isControl(focused('button'))).toBe(true)
  expect(isControl(focused('input', '[type=range]'))).toBe(true)
  expect(isControl(focused('input'))).toBe(false)
  expect(isControl(focused('main'))).toBe(false)
})

function press(key: string, target: Focused | null = null): Press {
  return {
    key,
    target,
    repeat: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    defaultPrevented: false,
    byPointer: false,
  }
}

/** An element that matches these names in a selector list. */
function focused(...names: string[]): Focused {
  const has = (selector: string) => selector.split(', ').some((part) => names.includes(part))
  return { isContentEditable: false, matches: has, closest: (selector) => (has(selector) ? {} : null) }
}
