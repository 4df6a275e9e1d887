import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { checkAchievements } from '../../contract/achievements.ts'
import { packagePath } from '../../server/packagePath.ts'
import { answerQuestionnaire, signInByLink } from './fixtures.ts'
import { tiles } from './libraryPage.ts'
import { genresOf, rateBangers } from './listeners.ts'
import { startTestServer } from './testServer.ts'

/* `npm run pictures` makes the README's pictures from the built product and the starter catalogue. */

const BANGERS = ['acid house', 'bossa nova', 'desert blues', 'dub', 'jangle pop', 'shoegaze', 'synthwave']
const PLAYING_GENRE = 'chillwave'

const app = await startTestServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
})
try {
  // Without videos, whose pictures are others' work, every song has a drawn cover.
  await app.db`update songs set youtube_id = null`
  const page = await browser.newPage({
    baseURL: app.url,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
  })
  await signInByLink(page.request, 'mara@example.org')
  await answerQuestionnaire(page.request)
  const genres = await genresOf(page.request)
  const placeOf = (name: string) => genres.findIndex((genre) => genre.name === name)
  for (const name of BANGERS) await rateBangers(page.request, [5], placeOf(name))
  // Otherwise toasts would announce them.
  await page.request.post(checkAchievements.path)

  await page.goto(`/?microgenre=${genres[placeOf(PLAYING_GENRE)]?.id}`)
  // It plays, and the page is complete.
  await page.getByText('0:03').waitFor()
  await makePicture(page, 'player')

  await page.goto('/?section=library')
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Genre')
  await tiles(page).getByRole('button').first().click()
  await page.getByText('Now Playing').waitFor()
  await makePicture(page, 'library')
} finally {
  await browser.close()
  await app.close()
}

async function makePicture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page
    .getByRole('status', { name: 'Notifications' })
    .filter({ hasNotText: /./ })
    .waitFor({ state: 'attached' })
  const picture = await page.screenshot({ animations: 'disabled' })
  await sharp(picture)
    .png({ palette: true })
    .toFile(packagePath(`docs/pictures/${name}.png`))
}
