import { type Browser, chromium, type Page } from '@playwright/test'
import { answerQuestionnaire, newEmail, signInByLink } from '../../tests/browser/fixtures.ts'
import { startTestServer, type TestServer } from '../../tests/browser/testServer.ts'
import type { AddCleanUp } from '../measure/report.ts'
import { type Observed, observePresses } from './observePresses.ts'

export const CPU_SLOWDOWN = 4

export async function startApp(later: AddCleanUp): Promise<{ app: TestServer; browser: Browser }> {
  const app = await startTestServer()
  later(() => app.close())
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  later(() => browser.close())
  return { app, browser }
}

/** A microgenre of songs with videos, except one of `every`, which plays as a preview. */
export async function addMicrogenre(
  { db }: TestServer,
  name: string,
  songs: number,
  every: number,
): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into microgenres
      (key, name, family, description, color, energy, vocals, familiarity, mood, song_count, live_song_count)
    values (${name}, ${name}, 'bench', 'Songs of a bench.', '#4ecdc4', '{}', '{}', '{}', '{}', ${songs}, ${songs})
    returning id::text`
  const id = row?.id ?? ''
  await db`
    insert into songs (key, source, microgenre_id, seq, title, artist, youtube_id)
    select ${name}::text || '/' || n, 'import', ${id}, n, 'Bench song ' || n, 'The Stand-ins',
      case when (n + 1) % ${every}::int > 0 then 'f' || lpad(${id}::text || lpad(n::text, 5, '0'), 10, '0') end
    from generate_series(0, ${songs - 1}::int) as n`
  return id
}

/** A new listener at the first song of the microgenre. `hurried`: the bench advances the page's clock. */
export async function openPlayer(
  browser: Browser,
  { url }: TestServer,
  microgenreId: string,
  { hurried = false } = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  // tsx marks functions with it, also those that run in the page.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(observePresses)
  if (hurried) await page.clock.install()
  await signInByLink(context.request, newEmail())
  await answerQuestionnaire(context.request)
  await page.goto('/')
  await page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor()
  // A press, so that the browser allows sound.
  await page.keyboard.press('Shift')
  await page.evaluate(
    (id) => window.dispatchEvent(new CustomEvent('microgenre-selected', { detail: { microgenreId: id } })),
    microgenreId,
  )
  await page.getByRole('heading', { name: /^Bench song/ }).waitFor()
  if (hurried) return page
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return page
}

/** The effects of the last press, once they include `what`. */
export async function observe(page: Page, what: keyof Observed): Promise<Observed> {
  const handle = await page.waitForFunction((what) => {
    const { observed } = window as unknown as { observed: Observed }
    return observed[what] !== undefined && observed
  }, what)
  return handle.jsonValue() as Promise<Observed>
}
