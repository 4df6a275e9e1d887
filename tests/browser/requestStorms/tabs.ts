import type { BrowserContext, Page, Request } from '@playwright/test'
import type { CallNames } from './calls.ts'
import { actionsOf, type Screen } from './screens.ts'

/** A browser tab that counts its page's calls. */
export interface Tab {
  page: Page
  /** The server whose pages it opens. */
  url: string
  /** Calls since the last action. */
  calls: Map<string, number>
  /** Lines about failures that the page has shown. */
  messages: Set<string>
  /** Uncaught exceptions. */
  exceptions: string[]
  /** Calls and scripts without a response so far. */
  pending: Set<Request>
}

/** Calls of one name that a page may make without a user action. */
export const MAX_CALLS_PER_ACTION = 3

/** More calls than this are a storm for certain; the server has stopped responding. */
const STORM_CALLS = 2 * MAX_CALLS_PER_ACTION

/** Milliseconds of virtual time after the last action. */
const WATCH_TIME = 10_000

const DESKTOP = { width: 1024, height: 640 }
const PHONE = { width: 390, height: 664 }

export async function openTab(context: BrowserContext, url: string, nameOf: CallNames): Promise<Tab> {
  const page = await context.newPage()
  const tab: Tab = { page, url, calls: new Map(), messages: new Set(), exceptions: [], pending: new Set() }
  page.on('request', (request) => {
    const call = nameOf(request.method(), request.url())
    if (call !== null) tab.calls.set(call, (tab.calls.get(call) ?? 0) + 1)
    if (call !== null || request.resourceType() === 'script') tab.pending.add(request)
  })
  page.on('requestfinished', (request) => tab.pending.delete(request))
  page.on('requestfailed', (request) => tab.pending.delete(request))
  page.on('pageerror', (error) => tab.exceptions.push(error.message))
  return tab
}

/** The result of one tab. */
export interface Visit {
  /** The number of actions that were possible. */
  actions: number
  /** Every call that was made, with its highest count between two actions. */
  calls: Map<string, number>
  messages: ReadonlySet<string>
  text: string
  exceptions: string[]
}

/**
 * Opens the screen in each tab, runs its actions, and lets ten seconds pass. The clock of the context must be paused:
 * it moves only here, and only when every response has arrived.
 */
export async function visit(context: BrowserContext, tabs: readonly Tab[], screen: Screen): Promise<Visit[]> {
  const most = tabs.map(() => new Map<string, number>())
  const actionsDone = tabs.map(() => 0)
  const endPhase = () =>
    tabs.forEach(({ calls }, i) => {
      for (const [name, count] of calls) most[i]?.set(name, Math.max(count, most[i]?.get(name) ?? 0))
      calls.clear()
    })

  await Promise.all(
    tabs.map(async (tab) => {
      tab.messages.clear()
      tab.exceptions.length = 0
      tab.pending.clear()
      tab.calls.clear()
      await tab.page.setViewportSize(screen.phone ? PHONE : DESKTOP)
      await tab.page.goto(`${tab.url}${screen.path}`)
      await settle(tab)
    }),
  )
  await advanceClock(context, tabs, [500, 1000])
  for (const [n, action] of actionsOf(screen).entries()) {
    const isReady = (tab: Tab, i: number) => actionsDone[i] === n && canBeUsed(action.target(tab.page))
    const ready = async () => Promise.all(tabs.map(isReady))
    if (!(await ready()).every(Boolean)) await advanceClock(context, tabs, [500, 500, 500])
    const isReadyTab = await ready()
    endPhase()
    await Promise.all(
      tabs.map(async (tab, i) => {
        if (!isReadyTab[i]) return
        await action.run(action.target(tab.page))
        actionsDone[i] = n + 1
        await settle(tab)
      }),
    )
  }
  await advanceClock(context, tabs, Array<number>(WATCH_TIME / 1000).fill(1000))
  endPhase()
  return Promise.all(
    tabs.map(async ({ page, messages, exceptions }, i) => ({
      actions: actionsDone[i] ?? 0,
      calls: most[i] ?? new Map(),
      messages: new Set(messages),
      text: await page.evaluate(() => document.body.innerText.trim()),
      exceptions: [...exceptions],
    })),
  )
}

const canBeUsed = async (target: ReturnType<Page['locator']>) =>
  (await target.isVisible()) && target.isEnabled()

async function advanceClock(
  context: BrowserContext,
  tabs: readonly Tab[],
  steps: readonly number[],
): Promise<void> {
  for (const step of steps) {
    await context.clock.runFor(step)
    await Promise.all(tabs.map(settle))
  }
}

/** Waits until every response has arrived and the page has processed it, or until a storm is certain. */
export async function settle(tab: Tab): Promise<void> {
  for (;;) {
    if ([...tab.calls.values()].some((count) => count > STORM_CALLS)) return tab.pending.clear()
    const before = sum(tab)
    await Promise.all([...tab.pending].map((request) => request.response().catch(() => null)))
    // Null while the page navigates.
    const messages = await tab.page.evaluate(readFailures).catch(() => null)
    for (const line of messages ?? []) tab.messages.add(line)
    if (messages && tab.pending.size === 0 && sum(tab) === before) return
    if (!messages) await tab.page.waitForLoadState()
  }
}

const sum = ({ calls }: Tab) => [...calls.values()].reduce((all, count) => all + count, 0)

/** Runs in the page: waits a few tasks, so that React has rendered, and returns the lines about failures. */
async function readFailures(): Promise<string[]> {
  for (let turns = 0; turns < 3; turns++)
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve()
      port2.postMessage(null)
    })
  const words = /error|did not|not load|could not|cannot|failed|no answer|not answer|no audio|try again/i
  return document.body.innerText.split('\n').filter((line) => words.test(line))
}
