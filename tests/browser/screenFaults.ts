import type { Page } from '@playwright/test'
import { TEST_ALL } from '../harness/tier.ts'

type Size = readonly [width: number, height: number]

/** A phone, a tablet and a laptop; `npm run test:all` has these sizes instead. */
export const sizesOr = (all: readonly Size[]): readonly Size[] =>
  TEST_ALL
    ? all
    : [
        [360, 640],
        [820, 1180],
        [1440, 900],
      ]

/** Width and height: phones upright and on their side, tablets, laptops, desktops, and a desktop at 200 and 400 %. */
export const SIZES = sizesOr([
  [320, 256],
  [320, 640],
  [390, 664],
  [640, 512],
  [667, 375],
  [720, 450],
  [720, 1024],
  [844, 390],
  [1024, 768],
  [1280, 600],
  [1440, 900],
  [1920, 1080],
])

/** The browser's text size in per cent, and the windows that are looked at with it. */
const WINDOWS: [percent: number, sizes: readonly Size[]][] = [
  [100, SIZES],
  [
    150,
    TEST_ALL
      ? [
          [390, 664],
          [720, 450],
          [1440, 900],
        ]
      : [[390, 664]],
  ],
  [
    200,
    TEST_ALL
      ? [
          [390, 664],
          [1280, 600],
        ]
      : [[1280, 600]],
  ],
]

/**
 * Finds what is cut off, covered, or cannot be scrolled into sight, in the open dialog, else on the page: each fault
 * with the sizes that show it (screens-17). The page keeps its size.
 */
export async function findScreenFaults(page: Page): Promise<Record<string, string>> {
  const sizesByFault = new Map<string, string[]>()
  const before = page.viewportSize()
  const devtools = await page.context().newCDPSession(page)
  const setTextSize = (percent: number) =>
    devtools.send('Page.setFontSizes', { fontSizes: { standard: 0.16 * percent } })
  for (const [percent, sizes] of WINDOWS) {
    await setTextSize(percent)
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      for (const fault of await waitForLastingFaults(page))
        sizesByFault.set(fault, [...(sizesByFault.get(fault) ?? []), `${width}x${height} ${percent} %`])
    }
  }
  await setTextSize(100)
  await devtools.detach()
  if (before) await page.setViewportSize(before)
  return Object.fromEntries([...sizesByFault].map(([fault, sizes]) => [fault, sizes.join(' ')]))
}

/** Milliseconds and looks in which what follows the size of the window, such as a video's seat, has found its place. */
const SETTLE_TIME = 3000
const MIN_LOOKS = 4

/** Repeats until no fault is left, or the time is over: on a busy machine one check can take all of it. */
async function waitForLastingFaults(page: Page): Promise<string[]> {
  const end = Date.now() + SETTLE_TIME
  for (let looks = 1; ; looks++) {
    const faults = await page.evaluate(findFaults)
    if (faults.length === 0 || (looks >= MIN_LOOKS && Date.now() > end)) return faults
  }
}

/** Runs in the page. */
async function findFaults(): Promise<string[]> {
  const SLACK = 1.5
  const faults = new Set<string>()
  // Components that ask for the size of the window follow it in its next frame.
  for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame)

  const shownLayer = [
    ...document.querySelectorAll('[role=dialog], [role=alertdialog], [data-uppy-paneltype]'),
  ].at(-1)
  const layer = shownLayer ?? document.getElementById('root') ?? document.body
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 1
  const nameOf = (element: Element) => {
    const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()
    return `'${name.slice(0, 40) || element.tagName.toLowerCase()}'`
  }
  const ownText = (element: Element) =>
    [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())

  /** The lines of its own text, else its box. */
  function boxesOf(element: Element): DOMRect[] {
    const range = document.createRange()
    const lines = ownText(element).flatMap((node) => {
      range.selectNodeContents(node)
      return [...range.getClientRects()]
    })
    return (lines.length > 0 ? lines : [element.getBoundingClientRect()]).filter(
      ({ width, height }) => width > 1 && height > 1,
    )
  }

  /** An ellipsis may end the title in the mini-player, but not after a word; and a text of two lines in a list. */
  const mayEnd = (element: Element) =>
    (element.closest('[data-bar]') !== null && element.clientWidth >= 72) ||
    element.closest('li [class*=line-clamp]') !== null

  /** Whether the part that is looked at is in the middle of the screen. */
  let isCentred = false

  function findCut(element: Element, box: DOMRect): string | undefined {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at)
      const edge = at.getBoundingClientRect()
      const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
      const isCut =
        (clips(overflowX) && (box.left < edge.left - SLACK || box.right > edge.right + SLACK)) ||
        // What is higher than its frame is seen by scrolling.
        (clips(overflowY) &&
          element.clientHeight < edge.height / 2 &&
          (box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK))
      if (isCut && !mayEnd(element)) return `${nameOf(element)} is cut off`
      if (position === 'fixed') return undefined
    }
    return undefined
  }

  function findCovered(element: Element, box: DOMRect): string | undefined {
    const x = box.left + box.width / 2
    const y = box.top + box.height / 2
    // A part of what is higher than the screen is in sight.
    const isHigh = element.getBoundingClientRect().height > innerHeight / 2
    if (isCentred && isHigh && (y < 0 || y > innerHeight)) return undefined
    if (box.left < -SLACK || box.right > innerWidth + SLACK || y < 0 || y > innerHeight)
      return `${nameOf(element)} is outside of the screen`
    const top = document.elementFromPoint(x, y)
    if (!top || top.contains(element) || element.contains(top)) return undefined
    // Clicks go through it, or to the control or the slider around it.
    if (getComputedStyle(element).pointerEvents === 'none' || element.closest('label, li')?.contains(top))
      return undefined
    if (top.closest('[type=range]')?.parentElement?.parentElement?.contains(element)) return undefined
    // Toasts come and go.
    if (top.closest('[aria-label=Notifications]')) return undefined
    return `${nameOf(element)} is under ${nameOf(top)}`
  }

  /** In the middle of a long list, like its neighbours. */
  function isRepeated(element: Element): boolean {
    const row = element.closest('li, [data-genre]')
    const rows = [...(row?.parentElement?.children ?? [])]
    return row !== null && rows.indexOf(row) > 4 && rows.indexOf(row) < rows.length - 2
  }

  const parts = [...layer.querySelectorAll('*')].filter(
    (element) =>
      !element.closest('svg, [href^="#"], [aria-label=Notifications], [aria-hidden=true], iframe') &&
      // It lies over the button that opens it.
      !element.matches('input[type=file]') &&
      (ownText(element).length > 0 || element.matches('button, a, input, select, textarea, [role=slider]')) &&
      isShown(element) &&
      !isRepeated(element),
  )
  const faultsOf = (part: Element) =>
    boxesOf(part).flatMap((box, n) =>
      [
        findCut(part, box),
        // Of a long paragraph the first lines.
        n < 3 && findCovered(part, mayEnd(part) ? part.getBoundingClientRect() : box),
      ].filter((fault) => typeof fault === 'string'),
    )
  // What is whole at any place of the page is right; only the rest is scrolled to the middle, one by one. Between a
  // bar and a docked video, a third of a low screen is free.
  const scroller = layer.querySelector('.scroll-area') ?? document.documentElement
  let rest = parts
  for (let top = 0; top < scroller.scrollHeight && rest.length > 0; top += scroller.clientHeight / 4) {
    scroller.scrollTo({ top, behavior: 'instant' })
    rest = rest.filter((part) => faultsOf(part).length > 0)
  }
  isCentred = true
  for (const part of rest) {
    part.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    for (const fault of faultsOf(part)) faults.add(fault)
  }
  window.scrollTo(0, 0)
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = parts.filter((part) => part.getBoundingClientRect().right > innerWidth + SLACK)
    faults.add(`the page scrolls sideways: ${wide.slice(0, 3).map(nameOf)}`)
  }
  for (const area of layer.querySelectorAll('.scroll-area'))
    if (area.scrollWidth > area.clientWidth + 1) faults.add('the dialog scrolls sideways')
  return [...faults]
}
