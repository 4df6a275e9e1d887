import { describe, expect, test } from 'vitest'
import { type Focused, hotkeyOf, type Press } from './hotkeyRules.ts'

describe('hotkeyOf', () => {
  test('names keys by event.key, letters without regard to case', () => {
    expect(hotkeyOf(press('ArrowRight'))).toBe('ArrowRight')
    expect(hotkeyOf(press('U'))).toBe('u')
    expect(hotkeyOf(press('?'))).toBe('?')
    expect(hotkeyOf(press(' '))).toBe(' ')
  })

  test.each(['ctrlKey', 'altKey', 'metaKey', 'repeat', 'defaultPrevented'] as const)(
    'nothing with %s (D-40)',
    (flag) => {
      expect(hotkeyOf({ ...press('1'), [flag]: true })).toBeNull()
    },
  )

  test.each(['input', 'textarea', 'select'])('nothing while in %s (MAIN-05)', (tag) => {
    expect(hotkeyOf(press('2', focused(tag)))).toBeNull()
  })

  test('nothing while in editable text', () => {
    expect(hotkeyOf(press('2', { ...focused('div'), isContentEditable: true }))).toBeNull()
  })

  test('Space on a focused button or link presses that only; other keys go through', () => {
    expect(hotkeyOf(press(' ', focused('button')))).toBeNull()
    expect(hotkeyOf(press(' ', focused('a[href]')))).toBeNull()
    expect(hotkeyOf(press(' ', focused('main')))).toBe(' ')
    expect(hotkeyOf(press('ArrowLeft', focused('button')))).toBe('ArrowLeft')
    expect(hotkeyOf(press('1', focused('button')))).toBe('1')
  })

  test('arrows inside a tab list belong to it', () => {
    expect(hotkeyOf(press('ArrowLeft', focused('[role=tablist]')))).toBeNull()
  })
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
  }
}

/** An element that answers to one of the names in a selector list. */
function focused(name: string): Focused {
  const has = (selector: string) => selector.split(', ').includes(name)
  return { isContentEditable: false, matches: has, closest: (selector) => (has(selector) ? {} : null) }
}
