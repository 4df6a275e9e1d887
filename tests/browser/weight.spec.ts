import type { Page } from '@playwright/test'
import { answerQuestionnaire, expect, newEmail, signInRequest, test } from './fixtures.ts'

const KIB = 1024

test('the landing page is light: 85 KiB of script, 16 of style, 110 of fonts', async ({ page }) => {
  const received = await receivedBy(page, async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  expect(received.Script).toBeLessThanOrEqual(85 * KIB)
  expect(received.Stylesheet).toBeLessThanOrEqual(16 * KIB)
  expect(received.Font).toBeLessThanOrEqual(110 * KIB)
})

test('the main screen is light: 110 KiB of script, 16 of style, 110 of fonts', async ({ page, house }) => {
  await signInRequest(page.request, newEmail())
  await answerQuestionnaire(page.request)
  const received = await receivedBy(
    page,
    async () => {
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
    },
    house.url,
  )
  expect(received.Script).toBeLessThanOrEqual(110 * KIB)
  expect(received.Stylesheet).toBeLessThanOrEqual(16 * KIB)
  expect(received.Font).toBeLessThanOrEqual(110 * KIB)
})

/** Bytes over the wire from the product's own address, by Chromium's kind of resource. */
async function receivedBy(
  page: Page,
  open: () => Promise<void>,
  origin = '',
): Promise<Record<'Script' | 'Stylesheet' | 'Font', number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const kinds = new Map<string, string>()
  const received: Record<string, number> = { Script: 0, Stylesheet: 0, Font: 0 }
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (response.url.startsWith(origin)) kinds.set(requestId, type)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind) received[kind] = (received[kind] ?? 0) + encodedDataLength
  })
  await open()
  await page.evaluate(async () => void (await document.fonts.ready))
  console.log(
    Object.entries(received)
      .map(([kind, bytes]) => `${kind} ${(bytes / KIB).toFixed(1)} KiB`)
      .join(', '),
  )
  return received as Record<'Script' | 'Stylesheet' | 'Font', number>
}
