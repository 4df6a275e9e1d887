import { describe, expect, test } from 'vitest'
import {
  type FocusedElement,
  findHotkey,
  isControl,
  type KeyPress,
  normalizeKey,
  printedKey,
} from './hotkeyRules.ts'

describe('hotkeyOf', () => {
  test('identifies keys by event.key, ignoring the case of letters', () => {
    expect(findHotkey(press('ArrowRight'))).toBe('ArrowRight')
    expect(findHotkey(press('U'))).toBe('u')
    expect(findHotkey(press('?'))).toBe('?')
    expect(findHotkey(press(' '))).toBe(' ')
  })

  test.each(['ctrlKey', 'altKey', 'metaKey', 'repeat', 'defaultPrevented'] as const)(
    'nothing with %s (screens-6)',
    (flag) => {
      expect(findHotkey({ ...press('1'), [flag]: true })).toBeNull()
    },
  )

  test.each(['input', 'textarea', 'select'])('nothing in %s (screens-6)', (tag) => {
    expect(findHotkey(press('2', focused(tag)))).toBeNull()
  })

  test('nothing in editable text', () => {
    expect(findHotkey(press('2', { ...focused('div'), isContentEditable: true }))).toBeNull()
  })

  test('Space on a focused button or link only presses it; other keys are hotkeys', () => {
    expect(findHotkey(press(' ', focused('button')))).toBeNull()
    expect(findHotkey(press(' ', focused('a[href]')))).toBeNull()
    expect(findHotkey(press(' ', focused('main')))).toBe(' ')
    expect(findHotkey(press('ArrowLeft', focused('button')))).toBe('ArrowLeft')
    expect(findHotkey(press('1', focused('button')))).toBe('1')
  })

  test('a slider keeps the arrows that it needs, and no other keys (screens-6)', () => {
    const slider = focused('input', '[type=range]')
    expect(findHotkey(press('ArrowLeft', slider))).toBeNull()
    expect(findHotkey(press(' ', slider))).toBe(' ')
    expect(findHotkey(press('2', slider))).toBe('2')
  })

  test('after a click or touch a control keeps no keys, and a text field keeps them all (screens-6)', () => {
    const byPointer = (key: string, ...names: string[]) =>
      findHotkey({ ...press(key, focused(...names)), byPointer: true })
    expect(byPointer('ArrowLeft', 'input', '[type=range]')).toBe('ArrowLeft')
    expect(byPointer(' ', 'button')).toBe(' ')
    expect(byPointer(' ', 'input', '[type=checkbox]')).toBe(' ')
    expect(byPointer(' ', 'textarea')).toBeNull()
    expect(byPointer('2', 'select')).toBeNull()
  })

  test('arrows inside a tab list belong to it', () => {
    expect(findHotkey(press('ArrowLeft', focused('[role=tablist]')))).toBeNull()
  })
})

test.each([
  ['French and Czech digits', 'Digit1 & Digit2 é Digit2 ě Digit3 š Digit3 "', '1 2 2 3 3'],
  ['Vietnamese, Persian and Thai digits', 'Digit1 ă Digit2 ۲ Digit3 -', '1 2 3'],
  ['Russian', 'KeyS ы KeyU Г KeyN т KeyP з KeyC с KeyM ь Digit7 ?', 's u n p c m ?'],
  ['Greek and Hebrew', 'KeyS σ KeyU Θ KeyS ד KeyP פ', 's u s p'],
  ['Arabic and Persian', 'KeyS س KeyN ى Slash ؟', 's n ?'],
  ['Thai, whose vowels are marks', 'KeyU ี KeyN ื KeyS ห KeyM ?', 'u n s ?'],
  ['Korean, Japanese kana and wide letters', 'KeyS ㄴ KeyU な Digit1 ぬ KeyN ｎ Slash ？', 's u 1 n ?'],
  ['letters elsewhere, on Dvorak and French keyboards', 'KeyS o Semicolon s KeyM , Semicolon m', 'o s , m'],
  ['keys that print nothing', 'KeyE Dead ArrowLeft ArrowLeft Digit1 Process', 'Dead ArrowLeft Process'],
])('keys of other layouts: %s (screens-6)', (_, presses, names) => {
  const parts = presses.split(' ')
  const found = parts.flatMap((code, at) =>
    at % 2 === 0 ? normalizeKey({ code, key: parts[at + 1] ?? '' }) : [],
  )
  expect(found.join(' ')).toBe(names)
})

test('a key is named as its layout prints it (screens-6)', () => {
  const french = new Map([...'azsunp'].map((letter): [string, string] => [`Key${letter}`, letter]))
  french.set('Digit1', '&')
  expect(printedKey('1', french)).toBe('&')
  expect(printedKey('S', french)).toBe('S')
  expect(printedKey('S', new Map([['KeyS', 'ы']]))).toBe('Ы')
  expect(printedKey('?', french)).toBe('?')
  expect(printedKey('S', undefined)).toBe('S')
})

test('isControl: elements that handle keys, except text fields and regions', () => {
  expect(isControl(focused('button'))).toBe(true)
  expect(isControl(focused('input', '[type=range]'))).toBe(true)
  expect(isControl(focused('input'))).toBe(false)
  expect(isControl(focused('main'))).toBe(false)
})

function press(key: string, target: FocusedElement | null = null): KeyPress {
  return {
    key,
    code: '',
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
function focused(...names: string[]): FocusedElement {
  const has = (selector: string) => selector.split(', ').some((part) => names.includes(part))
  return { isContentEditable: false, matches: has, closest: (selector) => (has(selector) ? {} : null) }
}
