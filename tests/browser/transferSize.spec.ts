import { expect, startSession, test } from './fixtures.ts'
import { formatTransfer, MAX_TRANSFER, measureTransfer, type TransferSize } from './transferSize.ts'

test('the landing page loads at most 85 KiB of script, 16 of style, 110 of fonts', async ({ page }) => {
  const received = await measureTransfer(page, async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  expectWithin(received, MAX_TRANSFER.landing)
})

test('the main screen loads at most 110 KiB of script, 16 of style, 110 of fonts', async ({ page, app }) => {
  await startSession(page.context())
  // Without what a page loads for later when it is idle, which a slow machine may be before the song is there.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  const received = await measureTransfer(
    page,
    async () => {
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'BANGER', exact: true })).toBeEnabled()
    },
    app.url,
  )
  expectWithin(received, MAX_TRANSFER.main)
})

function expectWithin(received: TransferSize, most: TransferSize): void {
  console.log(formatTransfer(received))
  expect(received.Script).toBeLessThanOrEqual(most.Script)
  expect(received.Stylesheet).toBeLessThanOrEqual(most.Stylesheet)
  expect(received.Font).toBeLessThanOrEqual(most.Font)
}
