import { listCollections } from '../../contract/collections.ts'
import { getCoverage } from '../../contract/coverage.ts'
import { listFeedback } from '../../contract/feedback.ts'
import { listRatings } from '../../contract/library.ts'
import { getLongTail } from '../../contract/longTail.ts'
import { getMap } from '../../contract/map.ts'
import { getAgreement } from '../../contract/profiles.ts'
import { expect, startSession, test } from './fixtures.ts'
import { failCall, SERVER_ERROR } from './mockResponses.ts'

test.use({ expectedErrors: [SERVER_ERROR] })

test('each page says what did not load, and can try again', async ({ page }) => {
  await startSession(page.context())
  for (const [path, call, words] of [
    ['/?section=library', listRatings, 'Your library did not load.'],
    ['/?section=library&dialog=collections', listCollections, 'Your collections did not load.'],
    ['/profile', getAgreement, 'You and the room did not load.'],
    ['/microgenres', getMap, 'The microgenres did not load.'],
    ['/fairness', getLongTail, 'How fairly songs are heard did not load.'],
    ['/coverage', getCoverage, 'The coverage did not load.'],
    ['/feedback', listFeedback, 'The feedback did not load.'],
  ] as const) {
    const mend = await failCall(page, call)
    await page.goto(path)
    await expect(page.getByText(words)).toBeVisible()
    if (call === listRatings) await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
    await mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(words)).toBeHidden()
  }
})
