import type { Page } from '@playwright/test'

declare global {
  interface Window {
    renders: Record<string, number>
  }
}

/**
 * From the next page on, counts how often React renders the components that draw these elements. React tells its
 * developer tools of every commit, in the product too.
 */
export async function watchRenders(page: Page, selectors: Record<string, string>): Promise<void> {
  await page.addInitScript(hearCommits, selectors)
}

/** The renders since this was last called. */
export const takeRenders = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const { renders } = window
    window.renders = {}
    return renders
  })

/** What of React's tree says which components rendered. */
interface Fiber {
  type: unknown
  flags: number
  stateNode: unknown
  child: Fiber | null
  sibling: Fiber | null
  alternate: Fiber | null
}

/** Runs in the page, before anything of it. */
function hearCommits(selectors: Record<string, string>): void {
  const PERFORMED_WORK = 1
  window.renders = {}

  /** Walks through what this commit touched: a component that did not render keeps its children. */
  function walk(fiber: Fiber, component: { rendered: boolean } | null) {
    const isComponent = typeof fiber.type === 'function'
    const owner = isComponent ? { rendered: (fiber.flags & PERFORMED_WORK) !== 0 } : component
    if (owner?.rendered && fiber.stateNode instanceof Element) {
      for (const [name, selector] of Object.entries(selectors)) {
        if (fiber.stateNode.matches(selector)) window.renders[name] = (window.renders[name] ?? 0) + 1
      }
    }
    if (fiber.alternate && fiber.alternate.child === fiber.child) return
    for (let child = fiber.child; child; child = child.sibling) walk(child, owner)
  }

  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_: number, root: { current: Fiber }) => walk(root.current, null),
      onCommitFiberUnmount() {},
      onPostCommitFiberRoot() {},
      checkDCE() {},
    },
  })
}
