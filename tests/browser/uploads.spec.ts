import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Page, Route } from '@playwright/test'
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  receiveUpload,
  signPart,
} from '../../contract/uploads.ts'
import type { UploadRules } from '../../web/uploads/uploadRules.ts'
import { addressOf } from './answers.ts'
import { dropFiles, type Files, makeFiles } from './files.ts'
import { expect, newEmail, signInRequest, test } from './fixtures.ts'
import { buildUploadPage, type UploadPage } from './uploadPage/openUploadPage.ts'

/* The upload dialog with other rules than a photo's: any files, several of them, more than 100 MB (uploads-7). */

const MIB = 1024 * 1024

/** More than 100 MB, so that it is sent in parts. */
const LARGE = 101 * MIB
const PARTS = 21

let files: Files
let uploads: UploadPage
test.beforeAll(async () => {
  test.setTimeout(90_000)
  ;[files, uploads] = await Promise.all([makeFiles(), buildUploadPage()])
})
test.afterAll(() => Promise.all([files.remove(), uploads.remove()]))

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Upload files' })
const messages = (page: Page) => dialog(page).getByRole('region', { name: 'Messages' })
const status = (page: Page) => dialog(page).getByRole('status', { name: 'Upload status' })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

async function openDialog(page: Page, rules: UploadRules = {}, id?: string): Promise<void> {
  await signInRequest(page.request, newEmail())
  await uploads.open(page, rules, id)
  await expect(button(page, 'browse files')).toBeVisible()
}

async function choose(page: Page, chosen: string | string[], by = 'browse files'): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(page, by).click()
  await (await chooser).setFiles(chosen)
}

/** The page's requests to an endpoint. */
function callsOf(page: Page, { method, path }: { method: string; path: string }): string[] {
  const calls: string[] = []
  const address = addressOf({ path })
  page.on('request', (request) => {
    if (request.method() === method && address.test(request.url())) calls.push(request.url())
  })
  return calls
}

/** From now on every PUT gets these responses in turn, then the server's own. */
async function answerBytes(page: Page, ...answers: ((route: Route) => Promise<void>)[]): Promise<string[]> {
  const asked: string[] = []
  await page.route(`**${receiveUpload.path.split(':')[0]}**`, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    asked.push(route.request().url())
    const next = answers.shift()
    return next ? next(route) : route.fallback()
  })
  return asked
}

/** Every PUT gets this status and does not reach the server. Returns the addresses used. */
async function answerParts(page: Page, status: number): Promise<string[]> {
  const asked: string[] = []
  await holdRequests(page, [`*${receiveUpload.path.split(':')[0]}*`], (url, answer) => {
    asked.push(url)
    return answer(status)
  })
  return asked
}

/** The first address of these parts is one that answers with this status. */
async function refuseOnce(page: Page, statuses: Record<number, number>): Promise<void> {
  await holdRequests(page, [SIGNING, '*/refused/*'], async (url, answer) => {
    const { pathname, origin } = new URL(url)
    const last = Number(pathname.split('/').at(-1))
    if (pathname.startsWith('/refused/')) return answer(last)
    const code = statuses[last]
    if (code === undefined) return answer()
    delete statuses[last]
    return answer(200, JSON.stringify({ url: `${origin}/refused/${code}`, method: 'PUT', expires: 900 }))
  })
}

/** The calls for addresses of parts, and a few more of multipart uploads. */
const SIGNING = `*${signPart.path.split(':')[0]}*`

type Answer = (status?: number, json?: string) => Promise<void>

/**
 * Holds requests until `decide` answers them; without a status the server does. Other requests pass, which they do
 * not with Playwright's route: see `UploadPage.stopServing`.
 */
async function holdRequests(
  page: Page,
  patterns: string[],
  decide: (url: string, answer: Answer) => Promise<void>,
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const answer: Answer = async (status, json = '') => {
      const body = Buffer.from(json).toString('base64')
      const responseHeaders = [{ name: 'content-type', value: 'application/json' }]
      const answered = status
        ? session.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders, body })
        : session.send('Fetch.continueRequest', { requestId })
      // The page may have cancelled it meanwhile.
      await answered.catch(() => {})
    }
    void decide(request.url, answer)
  })
  await session.send('Fetch.enable', { patterns: patterns.map((urlPattern) => ({ urlPattern })) })
}

/** All messages of the dialog from now on: each shows for five seconds only. */
async function recordMessages(page: Page): Promise<() => Promise<string>> {
  const said = await messages(page).evaluateHandle((region) => {
    const texts: string[] = []
    new MutationObserver(() => texts.push(region.textContent ?? '')).observe(region, {
      childList: true,
      subtree: true,
      characterData: true,
    })
    return texts
  })
  return async () => (await said.jsonValue()).join('\n')
}

const withStatus = (code: number) => (route: Route) => route.fulfill({ status: code, body: '' })
const times = <T>(n: number, value: T): T[] => Array<T>(n).fill(value)

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** What the page downloads by the link of an uploaded file. */
async function downloaded(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name, includeHidden: true }).dispatchEvent('click')
  return (await download).path()
}

test('uploads-7, uploads-12: a file over 100 MB is paused, resumed, restored after a reload, and arrives byte for byte', async ({
  page,
}) => {
  test.setTimeout(90_000)
  const large = await files.noise('large.bin', LARGE)
  const signed = callsOf(page, signPart)
  const started = callsOf(page, createMultipart)
  const gate = await gateParts(page)
  await openDialog(page, {}, 'large')
  await uploads.stopServing(page)
  await choose(page, large)

  gate.letThrough(6)
  await button(page, 'Upload 1 file').click()
  await expect(status(page)).toHaveText('uploading')
  await gate.arrived(6)
  const calledOff = page.waitForEvent('requestfailed', (request) => addressOf(signPart).test(request.url()))
  await button(page, 'Pause').click()
  await calledOff
  await expect(dialog(page).getByText(/^Paused: \d+%$/)).toBeVisible()
  gate.forget()
  const whenPaused = signed.length
  gate.letThrough(14)
  await button(page, 'Resume').click()
  await gate.arrived(14)
  expect(signed.length, 'resuming asks for the parts that are missing').toBeGreaterThan(whenPaused)

  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).join().includes('uploadId')))
    .toBe(true)
  await expect.poll(() => storedFiles(page)).toBe(1)
  await uploads.serve(page)
  await page.reload()
  gate.forget()
  gate.letThrough(PARTS)
  await expect(dialog(page).getByText('Session restored')).toBeVisible()
  await uploads.stopServing(page)
  await expect(dialog(page).getByText('We restored all files. You can now resume the upload.')).toBeVisible()
  await button(page, 'Upload 1 file').click()
  await expect(page.getByRole('link', { name: 'large.bin', includeHidden: true })).toHaveCount(1, {
    timeout: 20_000,
  })
  await expect(status(page)).toHaveText('complete')
  expect(started, 'one upload, continued twice').toHaveLength(1)
  expect(await sha256(await downloaded(page, 'large.bin'))).toBe(await sha256(large))
})

test('uploads-7, uploads-12: cancelling deletes the parts on the server', async ({ page }) => {
  const gate = await gateParts(page)
  await openDialog(page)
  await uploads.stopServing(page)
  await choose(page, await files.file('sparse.bin', LARGE))
  gate.letThrough(2)
  await button(page, 'Upload 1 file').click()
  await gate.arrived(2)
  const ended = page.waitForResponse(
    (response) =>
      response.request().method() === 'DELETE' &&
      response.url().includes(abortMultipart.path.split(':')[0] ?? ''),
  )
  await button(page, 'Cancel').first().click()
  expect((await ended).ok()).toBe(true)
  await expect(button(page, 'browse files')).toBeVisible()
})

test.describe('when the storage rejects', () => {
  test.use({ expectedErrors: [/status of (4\d\d|5\d\d)|net::ERR_FAILED/] })

  test('uploads-8: parts that get 403, 429, 409 and 500 once are sent again', async ({ page }) => {
    const put: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') put.push(request.url())
    })
    const done = callsOf(page, completeMultipart)
    test.setTimeout(90_000)
    await openDialog(page)
    await uploads.stopServing(page)
    await refuseOnce(page, { 18: 403, 19: 429, 20: 409, 21: 500 })
    await choose(page, await files.file('sparse.bin', LARGE))
    await button(page, 'Upload 1 file').click()
    await expect(status(page)).toHaveText('complete', { timeout: 60_000 })
    expect(put).toHaveLength(PARTS + 4)
    expect(done).toHaveLength(1)
  })

  test('uploads-8, uploads-5: a part that gets 400 is not retried, and the upload fails', async ({
    page,
  }) => {
    const ended = callsOf(page, abortMultipart)
    await openDialog(page)
    await uploads.stopServing(page)
    const put = await answerParts(page, 400)
    const said = await recordMessages(page)
    await choose(page, await files.file('sparse.bin', LARGE))
    const givenUp = page.waitForRequest((request) => request.method() === 'DELETE', { timeout: 0 })
    await button(page, 'Upload 1 file').click()
    await givenUp
    await expect.poll(said).toMatch(/Failed to upload sparse\.bin.*Non 2xx/)
    expect(ended).toHaveLength(1)
    expect(new Set(put).size, 'each part once').toBe(put.length)
  })

  test('uploads-9: a part without an ETag hints at CORS', async ({ page }) => {
    await openDialog(page)
    await uploads.stopServing(page)
    await answerParts(page, 200)
    const said = await recordMessages(page)
    await choose(page, await files.file('sparse.bin', LARGE))
    const givenUp = page.waitForRequest((request) => request.method() === 'DELETE', { timeout: 0 })
    await button(page, 'Upload 1 file').click()
    await givenUp
    await expect.poll(said).toContain('CORS is not configured correctly on the storage')
  })

  test('uploads-9, uploads-5: a file that gets 500 five times in a row, then no response, fails', async ({
    page,
  }) => {
    await page.clock.install()
    await openDialog(page)
    // The clock moves only in steps, so that no message opens and closes between two of them.
    await page.clock.pauseAt(Date.now() + 60_000)
    const abort = (route: Route) => route.abort()
    const put = await answerBytes(page, ...times(5, withStatus(500)), ...times(5, abort))
    await choose(page, await files.file('small.bin', 1000))
    await button(page, 'Upload 1 file').click()
    for (const [tried, words] of ['Non 2xx', 'Unknown error'].entries()) {
      const failure = messages(page).getByText(words, { exact: true })
      await expect
        .poll(
          async () => {
            // At once, then after 1, 3 and 5 s; a message shows for more than one step of the clock.
            if ((await failure.count()) === 0) await page.clock.runFor(2000)
            return failure.count()
          },
          { intervals: [100] },
        )
        .toBe(1)
      await expect(messages(page)).toContainText('Failed to upload small.bin')
      expect(put).toHaveLength(5 * (tried + 1))
      await button(page, 'Retry upload').first().click()
    }
    await expect(status(page)).toHaveText('complete')
    expect(put).toHaveLength(11)
  })
})

test('uploads-4: configured rules apply, with at most four messages at a time', async ({ page }) => {
  await openDialog(page, { maxFileSize: 100, maxNumberOfFiles: 3, allowedFileTypes: ['.flac', 'text/*'] })
  const zone = dialog(page).getByRole('group', { name: 'Files' })
  const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png']
  await dropFiles(page, zone, await Promise.all(names.map((name) => files.file(name, 10))))
  const refusal = messages(page).getByText('You can only upload: .flac, text/*')
  await expect(refusal).toHaveCount(4)
  await expect(messages(page)).toContainText('2 additional restrictions were not fulfilled')

  const note = await files.file('note.txt', 10)
  await dropFiles(page, zone, [note])
  await dropFiles(page, zone, [note])
  await expect(messages(page)).toContainText("Cannot add the duplicate file 'note.txt', it already exists")
  await dropFiles(page, zone, [await files.file('long.txt', 101)])
  await expect(messages(page)).toContainText('long.txt exceeds maximum allowed size of 100 B')
  const more = await Promise.all(['1.txt', '2.txt', '3.txt'].map((name) => files.file(name, 10)))
  await dropFiles(page, zone, more)
  await expect(messages(page)).toContainText('You can only upload 3 files')
  await expect(dialog(page).getByRole('listitem').filter({ hasText: '.txt' })).toHaveCount(1)
})

test('uploads-1: a folder is uploaded, six files at a time, under new names', async ({ page }) => {
  let most = 0
  let now = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await openDialog(page)
  await page.route(`**${receiveUpload.path.split(':')[0]}**`, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    most = Math.max(most, ++now)
    await released
    now--
    await route.fallback()
  })
  for (let i = 1; i <= 8; i++) await files.file(`folder/part/${i}.txt`, 10 * i)
  await choose(page, `${files.folder}/folder`, 'browse folders')
  await button(page, 'Edit file 1.txt').click()
  await dialog(page).getByLabel('Name').fill('first.txt')
  await button(page, 'Save changes').click()
  await button(page, 'Upload 8 files').click()
  await expect.poll(() => most).toBe(6)
  release()
  await expect(status(page)).toHaveText('complete')
  await expect(page.getByRole('link', { includeHidden: true })).toHaveCount(8)
  await expect(page.getByRole('link', { name: 'first.txt', includeHidden: true })).toHaveCount(1)
  expect(most).toBe(6)
})

/** Holds parts back when the page requests their addresses, so that a test decides how far an upload gets. */
async function gateParts(page: Page) {
  const waiting: { part: string; go: () => void }[] = []
  /** A part requested again, because the page cancelled the first request, still counts once. */
  const parts = new Set<string>()
  let allowed = 0
  let arrived = 0
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.request().method() === 'PUT' && pathname.startsWith(receiveUpload.path.split(':')[0] ?? ''))
      arrived++
  })
  const letGo = () => {
    for (const each of waiting.splice(0)) {
      if (parts.has(each.part) || parts.size < allowed) {
        parts.add(each.part)
        each.go()
      } else waiting.push(each)
    }
  }
  await holdRequests(page, [SIGNING], async (url, answer) => {
    const part = new URL(url).pathname.split('/').at(-1) ?? ''
    if (!/^\d+$/.test(part)) return answer()
    waiting.push({ part, go: () => void answer() })
    letGo()
  })
  return {
    letThrough(most: number) {
      allowed = most
      letGo()
    },
    arrived: (most: number) => expect.poll(() => arrived, { timeout: 15_000 }).toBeGreaterThanOrEqual(most),
    /** The page has cancelled whatever still waits. */
    forget() {
      for (const { go } of waiting.splice(0)) go()
      parts.clear()
      allowed = 0
      arrived = 0
    },
  }
}

/** Files that the page keeps for a restore. */
function storedFiles(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('uppy-blobs')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const counting = opening.result.transaction('files').objectStore('files').count()
          counting.onsuccess = () => resolve(counting.result)
          counting.onerror = () => reject(counting.error)
        }
      }),
  )
}
