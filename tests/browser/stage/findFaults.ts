import type { Song } from '../../../contract/shapes.ts'
import { type Box, cut, hasText, isWithin, linesOf, overlap, SLACK } from './lines.ts'
import { findShapes, type Words } from './shapes.ts'
import { showSong } from './shownSong.ts'

type Tell = (fault: string) => void

/**
 * Finds overlapping and cut-off texts and controls at the current size, for any of the words drawn before: each fault
 * with the first song that shows it.
 */
export async function findFaults(song: Song): Promise<Record<string, string>> {
  // Components that ask for the size of the window follow it in its next frame.
  await new Promise(requestAnimationFrame)
  const faults: Record<string, string> = {}
  const tellOf =
    ({ title, artist }: Words): Tell =>
    (fault) => {
      faults[fault] ??= `${title} by ${artist}`
    }
  showSong({ ...song, title: 'Title', artist: 'Artist' })
  const parts = findParts()
  const { widest, clipped } = findShapes()
  for (const words of clipped) tellOf(words)('title or artist is cut off')
  for (const words of widest) {
    showSong({ ...song, ...words })
    const tell = tellOf(words)
    checkParts(parts, words.mayBeCut ?? false, tell)
    checkOrder(tell)
    const { scrollWidth, scrollHeight } = document.documentElement
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) tell('the page scrolls')
  }
  return faults
}

interface Part {
  element: Element
  kind: 'text' | 'control'
  name: string
  /** The ancestor that clips it. */
  clips: Element[]
}

/** All texts and controls on the screen, except toasts, which come and go over them, and the hidden skip link. */
function findParts(): Part[] {
  const shown = [
    ...document.querySelectorAll('#root :not([href="#main"], [aria-label=Notifications] *)'),
  ].filter(
    (element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 1,
  )
  return shown.flatMap((element) => {
    const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
    const clips = [element, ...ancestors(element)].filter((at) => getComputedStyle(at).overflow !== 'visible')
    const parts: Part[] = []
    if ([...element.childNodes].some(hasText)) parts.push({ element, kind: 'text', name, clips })
    if (element.matches('button, a, input, aside')) parts.push({ element, kind: 'control', name, clips: [] })
    return parts
  })
}

function ancestors(element: Element): Element[] {
  const parent = element.parentElement
  return parent && parent !== document.body ? [parent, ...ancestors(parent)] : []
}

function checkParts(parts: Part[], mayBeCut: boolean, tell: Tell): void {
  const places = parts.flatMap((part) => boxesOf(part, mayBeCut, tell).map((box) => ({ part, box })))
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
  for (const [n, { part, box }] of places.entries()) {
    if (!isWithin(box, screen)) tell(`'${part.name}' is outside of the screen`)
    for (const other of places.slice(n + 1)) {
      if (!overlap(box, other.box)) continue
      if (part.element.contains(other.part.element) || other.part.element.contains(part.element)) continue
      tell(`'${part.name}' and '${other.part.name}' are on one another`)
    }
  }
}

function boxesOf({ element, kind, name, clips }: Part, mayBeCut: boolean, tell: Tell): Box[] {
  if (kind === 'control') {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
    if (element.matches('button, a') && Math.min(width, height) < 43.9)
      tell(`'${name}' is ${Math.round(width)} by ${Math.round(height)} px`)
    return [{ left, top, right, bottom }]
  }
  const edges = clips.map((clip) => clip.getBoundingClientRect())
  const mayEnd = mayBeCut && element.closest('main h1, main h1 ~ *') !== null
  return linesOf(element).map((line) => {
    if (!mayEnd && !edges.every((edge) => isWithin(line, edge))) tell(`'${name}' is cut off`)
    return edges.reduce<Box>(cut, line)
  })
}

/** From left to right BUST, record, BANGER; from top to bottom record, title, artist. */
function checkOrder(tell: Tell): void {
  const [bust, record, banger, title, artist] = [
    '[aria-label=BUST]',
    'main [aria-keyshortcuts=Space]',
    '[aria-label=BANGER]',
    'main h1',
    'main h1 + p',
  ].map((selector) => document.querySelector(selector)?.getBoundingClientRect())
  if (!bust || !record || !banger || !title || !artist) throw new Error('The stage is not whole.')
  if (Math.min(record.width, record.height) < 47.9) tell('the record is lower than 48 px')
  const video = document.querySelector('[data-frame]')?.getBoundingClientRect()
  if (video && Math.min(video.width, video.height) < 200) tell('the video is smaller than 200 px')
  if (bust.right > record.left || record.right > banger.left) tell('the record is not between the keys')
  if (record.bottom > title.top + SLACK || title.bottom > artist.top + SLACK)
    tell('record, title and artist are not in order')
}
