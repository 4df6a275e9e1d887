import type { Page } from '@playwright/test'
import { scaled } from '../harness/tier.ts'
import { signIn } from './fixtures.ts'
import { findScreenFaults, SIZES } from './screenFaults.ts'
import { art, expect, newVideoId, openDiscover, pad, test, title } from './testSongs.ts'

/** Very long titles and artists in many scripts. What is longer may end in an ellipsis. */
const LONG_TITLES = [
  {
    title: 'When the Catholic Girls Go Camping, the Nicotine Vampires Rule Supreme',
    artist: 'Prince Nico Mbarga & Rocafil Jazz International',
  },
  { title: 'Donaudampfschifffahrtsgesellschaft', artist: 'Rindfleischetikettierungsüberwachung' },
  { title: '夜に駆ける銀河鉄道の夜と現代のコンピューターが見る夢の中で', artist: '豊平区民管弦楽団と合唱団' },
  {
    title: 'EVERYTHING YOU HEARD ABOUT US WAS WRITTEN DOWN BEFORE WE MET AT ALL',
    artist: 'CAPITALS AND SONS',
  },
  {
    title: 'Улица полна неожиданностей, и каждый вечер мы идём по ней домой',
    artist: 'Оркестр имени Кооператива',
  },
  { title: 'أغنية طويلة عن مدينة بعيدة لا ينام أهلها قبل طلوع الفجر', artist: 'فرقة الموسيقى العربية' },
  { title: 'เพลงยาวเกี่ยวกับเมืองที่ไม่เคยหลับใหลในคืนฝนตก', artist: 'วงดนตรีแห่งกรุงเทพ' },
  { title: '★ ♫ M∆CHINE †‡† (7-Methoxy-β-Carboline) 💿💿💿💿💿💿', artist: '†‡† & ▲' },
].slice(0, scaled(3, 8))

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const hasVideo of [true, false])
  test(`${hasVideo ? 'with' : '@long without'} a video the longest titles are whole, and cover nothing, at every size`, async ({
    page,
    stock,
  }) => {
    test.slow()
    await stock(LONG_TITLES.map((words) => ({ ...words, youtubeId: hasVideo ? newVideoId() : null })))
    await signIn(page)
    for (const n of LONG_TITLES.keys()) {
      await expect(art(page, 'Pause')).toBeVisible()
      // A preview that ends shows more than that.
      await page.keyboard.press('Space')
      await expect(art(page, 'Play')).toBeVisible()
      const words = (await title(page).textContent()) ?? ''
      const faults = Object.keys(await findScreenFaults(page))
      // The target of the line is transparent, and reaches over the letters.
      expect(
        faults.filter((fault) => !fault.endsWith("is under 'Song progress'")),
        words,
      ).toEqual([])
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height })
        await expect.poll(() => page.evaluate(findDisorder), `${words} at ${width}x${height}`).toEqual([])
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      if (n === LONG_TITLES.length - 1) break
      await page.keyboard.press('ArrowRight')
      await expect(title(page)).not.toHaveText(words)
      await expect(pad(page, 'BANGER')).toBeEnabled()
    }
  })

/** Runs in the page: from left to right BUST, record, BANGER; from top to bottom record, title, artist. */
function findDisorder(): string[] {
  const [bust, record, banger, title, artist] = [
    '[aria-label=BUST]',
    'main [aria-keyshortcuts=Space]',
    '[aria-label=BANGER]',
    'main h1',
    'main h1 + p',
  ].map((selector) => document.querySelector(selector)?.getBoundingClientRect())
  if (!bust || !record || !banger || !title || !artist) return ['The stage is not whole.']
  const video = document.querySelector('[data-frame]')?.getBoundingClientRect()
  const small = [...document.querySelectorAll('main button')].filter((button) => {
    const { width, height } = button.getBoundingClientRect()
    return width > 1 && Math.min(width, height) < 43.9
  })
  return [
    Math.min(record.width, record.height) < 47.9 && 'the record is lower than 48 px',
    video && Math.min(video.width, video.height) < 200 && 'the video is smaller than 200 px',
    (bust.right > record.left || record.right > banger.left) && 'the record is not between the keys',
    (record.bottom > title.top + 1 || title.bottom > artist.top + 1) && 'they are not in order',
    ...small.map((button) => `'${button.textContent}' is smaller than 44 px`),
  ].filter((fault) => typeof fault === 'string')
}

/* What a listener with another keyboard and other scripts meets. */

/** A press on a keyboard whose layout prints `key` at the place `code`. */
const press = (page: Page, key: string, code: string) =>
  page.evaluate(
    (init) => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true })),
    { key, code },
  )

test('screens-6: keys work on French and Russian keyboards; right-to-left names have their own direction', async ({
  page,
  stock,
}) => {
  await stock([{ title: 'شعر (حي) 1999', artist: 'فرقة 12' }])
  await openDiscover(page)
  await expect(title(page)).toHaveCSS('direction', 'rtl')
  await expect(page.getByRole('main').getByText('فرقة 12', { exact: true }).first()).toHaveCSS(
    'direction',
    'rtl',
  )
  await expect(page).toHaveTitle(/^\u2068شعر \(حي\) 1999\u2069 by \u2068فرقة 12\u2069 · /)

  await press(page, '?', 'Digit7')
  const overlay = page.getByRole('dialog', { name: 'Keyboard Shortcuts' })
  await expect(overlay).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(overlay).toBeHidden()
  await press(page, 'é', 'Digit2')
  await expect(title(page)).toHaveText('My Library')
  await press(page, '&', 'Digit1')
  await expect(pad(page, 'BANGER')).toBeEnabled()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('heading', { name: 'Microgenre Complete!' })).toBeVisible()
  await press(page, 'г', 'KeyU')
  await expect(title(page)).toHaveText('شعر (حي) 1999')
})
