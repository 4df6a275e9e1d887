/* Runs in the page, before its scripts. */

/** The effects of a press, in milliseconds after its timestamp. */
export interface Observed {
  /** The first sound of a preview or a video since the press, and which of them it was. */
  sound?: number
  source?: 'preview' | 'video'
  /** The title of the next song. */
  song?: number
  /** The frame with a dialog, as browsers report it for the press, else when a later frame painted it. */
  dialog?: number
}

/** Keeps `window.observed`, which every press of a key or a button renews. */
export function observePresses(): void {
  const page = window as unknown as { observed: Observed }
  page.observed = {}
  let pressed = 0
  let title: string | undefined
  const press = (event: Event) => {
    pressed = event.timeStamp
    title = document.querySelector('main h1')?.textContent
    page.observed = {}
  }
  addEventListener('keydown', press, true)
  addEventListener('pointerdown', press, true)

  const hear = (source: 'preview' | 'video') => {
    if (page.observed.sound !== undefined) return
    Object.assign(page.observed, { sound: performance.now() - pressed, source })
  }
  document.addEventListener(
    'playing',
    ({ target }) => target instanceof HTMLAudioElement && hear('preview'),
    true,
  )
  // The embedded stand-in says so: 1 is playing.
  addEventListener('message', ({ data }) => data?.type === 'state' && data.data === 1 && hear('video'))

  let inserted = Number.POSITIVE_INFINITY
  const sawFrame = new PerformanceObserver((list) => {
    for (const { startTime, duration, processingEnd } of list.getEntries() as PerformanceEventTiming[]) {
      if (startTime >= pressed && processingEnd >= inserted)
        page.observed.dialog ??= startTime + duration - pressed
    }
  })
  sawFrame.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)

  // The browser's report of the press comes after the frame, and not when the dialog came later than the press.
  const REPORTED = 400
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const ms = performance.now() - pressed
    setTimeout(() => {
      page.observed.dialog ??= ms
    }, REPORTED)
  }
  // Called in the frame that paints it; the message arrives after that.
  const painted = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) port2.postMessage(null)
  })
  new MutationObserver(() => {
    const now = document.querySelector('main h1')?.textContent
    if (now && now !== title && !now.startsWith('Loading')) page.observed.song ??= performance.now() - pressed
    const dialog = document.querySelector('[role=dialog]')
    if (!dialog) inserted = Number.POSITIVE_INFINITY
    else inserted = Math.min(inserted, performance.now())
    if (dialog) painted.observe(dialog)
    else painted.disconnect()
  }).observe(document, { subtree: true, childList: true, characterData: true })
}
