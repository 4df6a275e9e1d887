import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test'
import { readContract } from '../harness/readContract.ts'
import {
  makeListener,
  makeSharedAchievement,
  makeSharedCollection,
  makeSharedMix,
  makeWatchedListener,
} from './listeners.ts'
import { type CallNames, readCallNames, type StoredAnswers } from './requestStorms/calls.ts'
import { type FailingServer, failures, startFailingServer } from './requestStorms/failingServer.ts'
import {
  actionsOf,
  desk,
  operators,
  people,
  player,
  type Screen,
  sections,
  signedOut,
} from './requestStorms/screens.ts'
import { MAX_CALLS_PER_ACTION, openTab, type Tab, type Visit, visit } from './requestStorms/tabs.ts'
import { expect, previewSongs, test } from './testSongs.ts'

/*
 * Lets every call of every screen fail in each of four ways, for ten seconds of virtual time. The calls of a screen
 * are recorded while nothing fails, so a new call is tested without a change here.
 */

// Several hundred page loads.
test.setTimeout(900_000)

let nameOf: CallNames
let servers: FailingServer[]

// In one worker, because what is below is made once.
test.describe.configure({ mode: 'default' })
test.beforeAll(async ({ app }) => {
  nameOf = await readCallNames()
  const stored: StoredAnswers = new Map()
  servers = await Promise.all(
    failures.map((failure) => startFailingServer({ target: app.url, failure, nameOf, stored })),
  )
})
test.afterAll(() => Promise.all(servers.map((server) => server.close())))

const rule = 'calls-9: a call that fails is made at most three times, and the page says what is missing'

test(`${rule} (signed out)`, async ({ browser }) => {
  const { api } = await makeListener()
  const collection = await makeSharedCollection(api, 'Night buses')
  const achievement = await makeSharedAchievement(api)
  const mix = await makeSharedMix(api, 'Night buses')
  await failEach(browser, signedOut({ collection, achievement, mix }))
})

for (const [place, screens] of [
  ['in the player', player],
  ['in library and community', sections],
  ['with people and on the own profile', people],
  ['at the desk', desk],
  ['on the pages for operators', operators],
] as const) {
  test(`${rule} (${place})`, async ({ app, browser, stock }) => {
    const { always, storageState } = await makeWatchedListener(app, await stock(previewSongs(20)))
    await failEach(browser, screens, always, { storageState })
  })
}

test('every call of the contract is made by one of these screens, or is listed as an exception', {
  tag: '@long',
}, async () => {
  expect(openedLists.size, 'the lists of screens that the tests above have opened in this process').toBe(6)
  const contract = (await readContract()).filter(({ answers }) => answers === undefined)
  const names = contract.map(({ method, path }) => `${method} ${path}`)
  const isException = (name: string) => exceptions.some(([calls]) => calls.test(name))
  expect(names.filter((name) => !callsMade.has(name) && !isException(name))).toEqual([])
})

/** Calls made while nothing failed, without queries, and the screens whose lists were opened. */
const callsMade = new Set<string>()
const openedLists = new Set<readonly Screen[]>()

/** Opens each screen, records its calls and lets them fail, in a different way in each tab. */
async function failEach(
  browser: Browser,
  screens: readonly Screen[],
  always: Screen['instead'] = {},
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const start = Date.now()
  await context.clock.install({ time: start })
  await context.clock.pauseAt(start + 1000)
  const tabs = await Promise.all(servers.map(({ url }) => openTab(context, url, nameOf)))
  /** Calls that have failed already, with the path of their screen. */
  const tried = new Set<string>()

  for (const screen of screens.filter(({ isCheckedOnly: looksOnly }) => !looksOnly)) {
    for (const server of servers) server.replaceResponses({ ...always, ...screen.instead })
    const [healthy] = await visit(context, tabs.slice(0, 1), screen)
    if (!healthy) return
    expect.soft(healthy.actions, `actions on ${screen.name}`).toBe(actionsOf(screen).length)
    expect.soft(healthy.exceptions, `exceptions on ${screen.name}`).toEqual([])
    const calls = [...healthy.calls.keys()].filter((call) => !tried.has(`${screen.path} ${call}`))
    for (const call of calls) {
      tried.add(`${screen.path} ${call}`)
      callsMade.add(call.replace(/\?.*/, ''))
    }
    await failCalls(context, tabs, screen, calls, healthy)
  }
  openedLists.add(screens)
  await context.close()
}

/** Calls that do not wait for one another fail together; calls that share one message fail alone. */
async function failCalls(
  context: BrowserContext,
  tabs: readonly Tab[],
  screen: Screen,
  calls: readonly string[],
  healthy: Visit,
): Promise<void> {
  for (let remaining = calls; remaining.length > 0; ) {
    const visits = await failTogether(context, tabs, screen, remaining)
    const failed = remaining.filter((call) => visits[0]?.calls.has(call))
    expect(failed, `calls of ${screen.name} that are made again: ${remaining}`).not.toEqual([])
    remaining = remaining.filter((call) => !failed.includes(call))
    const visibleFailures = failed.filter((call) => !background[call])
    const isAllShown = visits.every((each) => messagesOf(each, healthy).length >= visibleFailures.length)
    judge(visits, healthy, failed, screen.name, isAllShown)
    if (isAllShown) continue
    for (const call of visibleFailures)
      judge(await failTogether(context, tabs, screen, [call]), healthy, [call], screen.name, true)
  }
}

async function failTogether(
  context: BrowserContext,
  tabs: readonly Tab[],
  screen: Screen,
  calls: readonly string[],
): Promise<Visit[]> {
  for (const server of servers) server.fail(calls)
  const visits = await visit(context, tabs, screen)
  for (const server of servers) server.fail([])
  return visits
}

function judge(
  visits: readonly Visit[],
  healthy: Visit,
  failed: readonly string[],
  screen: string,
  mustSay: boolean,
): void {
  const visibleFailures = failed.filter((call) => !background[call])
  for (const [i, each] of visits.entries()) {
    const where = `${screen}, ${failures[i]} of ${failed.join()}`
    const storms = [...each.calls].filter(
      ([call, count]) => count > MAX_CALLS_PER_ACTION && (call !== POLLED || failed.includes(call)),
    )
    expect.soft(storms, `calls made too often on ${where}`).toEqual([])
    expect.soft([...each.calls.keys()], `calls on ${where}`).toEqual(expect.arrayContaining([...failed]))
    expect.soft(each.exceptions, `exceptions on ${where}`).toEqual([])
    expect.soft(each.text.length, `characters on ${where}`).toBeGreaterThan(20)
    if (!mustSay) continue
    const messages = messagesOf(each, healthy)
    expect
      .soft(messages.length, `messages on ${where}: ${messages.join(' ')}`)
      .toBeGreaterThanOrEqual(visibleFailures.length)
  }
}

/** Asked for each second while a file is read (imports-31). */
const POLLED = 'GET /api/imports/:id'

/** Lines about failures that the healthy screen does not show, without those that every failure has. */
const messagesOf = ({ messages }: Visit, healthy: Visit): string[] =>
  [...messages].filter((line) => !/^(Error|Try again)$/.test(line) && !healthy.messages.has(line))

/** Calls whose failure the page need not show, with the reason. */
const background: Record<string, string> = {
  'GET /api/users/me/preferences': 'the questionnaire opens (onboarding-8)',
  'GET /api/users/me/ratings/changes?since': 'the list on screen stays, and the next visit asks again',
  'GET /api/microgenres/:id/next-song?prefetch': 'the answer to the next rating has a song too',
  'POST /api/users/me/achievements/check': 'told after the next rating',
  'POST /api/listening/progress': 'the next report says more',
  'GET /api/uploads/settings': 'files of this device can still be chosen',
  'GET /api/auth/passkeys/challenge': 'the e-mail field suggests none; the button says when it fails',
}

/** Calls that none of the screens makes, with the reason. */
const exceptions: [calls: RegExp, why: string][] = [
  [/^POST \/api\/auth\/passkeys(\/sign-in)?$/, 'made once, after somebody has confirmed it on their device'],
  [/\/(companion|uploads|api\/profile-photo)/, 'files are sent again by a rule of their own (uploads-8)'],
  [/^POST \/api\/users\/me\/ratings$/, 'made at a load, of what the browser stores (visitors-23)'],
  [/^POST \/api\/playback\/reports$/, 'sent once, five minutes after a video was tried, and never again'],
]
