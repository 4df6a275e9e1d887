import { readCatalogue } from '../../catalogue/readCatalogue.ts'
import { makeSong } from '../makeSong.ts'
import { expect, signIn, test } from './fixtures.ts'
import { sizesOr } from './screenFaults.ts'
import { buildStage } from './stage/buildStage.ts'
import type { Words } from './stage/shapes.ts'
import type {} from './stage/stage.ts'
import { art, newVideoId, title } from './stock.ts'

/** Width and height: phones with the browser's bars and on their side, tablets, laptops, zoom of 200 %, desktops. */
const SCREENS = sizesOr([
  [320, 568],
  [375, 553],
  [360, 672],
  [390, 664],
  [568, 320],
  [667, 375],
  [844, 390],
  [720, 450],
  [768, 1024],
  [820, 1180],
  [1024, 768],
  [1280, 600],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
])

const catalogue: Words[] = readCatalogue('catalogue').songs.map(({ title, artist }) => ({ title, artist }))

/** Very long titles; the last ones are longer than any screen and may end in an ellipsis. */
const longest: Words[] = [
  {
    title: 'When the Catholic Girls Go Camping, the Nicotine Vampires Rule Supreme',
    artist: 'Prince Nico Mbarga & Rocafil Jazz International',
  },
  {
    title: 'EVERYTHING YOU HEARD ABOUT US WAS WRITTEN DOWN BEFORE WE MET AT ALL',
    artist: 'CAPITALS AND SONS',
  },
  { title: 'Donaudampfschifffahrtsgesellschaft', artist: 'Rindfleischetikettierungsüberwachung' },
  {
    title: 'Улица полна неожиданностей, и каждый вечер мы идём по ней домой',
    artist: 'Оркестр имени Кооператива',
  },
  { title: '夜に駆ける銀河鉄道の夜と現代のコンピューターが見る夢の中で', artist: '豊平区民管弦楽団と合唱団' },
  { title: 'أغنية طويلة عن مدينة بعيدة لا ينام أهلها قبل طلوع الفجر', artist: 'فرقة الموسيقى العربية' },
  { title: 'เพลงยาวเกี่ยวกับเมืองที่ไม่เคยหลับใหลในคืนฝนตก', artist: 'วงดนตรีแห่งกรุงเทพ' },
  { title: '★ ♫ M∆CHINE †‡† (7-Methoxy-β-Carboline) 💿💿💿💿💿💿', artist: '†‡† & ▲' },
  { title: 'W'.repeat(60), artist: 'M'.repeat(60), mayBeCut: true },
  {
    title: 'Nothing Ends '.repeat(16).slice(0, 200),
    artist: 'And You Too '.repeat(17).slice(0, 200),
    mayBeCut: true,
  },
  { title: '終'.repeat(200), artist: '無'.repeat(200), mayBeCut: true },
]

const song = makeSong('1', {
  duration: 215,
  // The longest name.
  microgenre: 'Japanese city pop',
  color: '#4ecdc4',
})

for (const hasVideo of [true, false])
  test(`${hasVideo ? 'with' : '@long without'} a video no text overlaps, none is cut off, and pads show their whole labels, at every size and for every title`, async ({
    page,
    app,
  }) => {
    test.slow()
    // The record grows into the place of a video; what counts is where it ends.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const useStage = await buildStage()
    await useStage(page)
    await signIn(page)
    await expect(title(page)).toHaveText('Loading next song...')
    await page.evaluate(async () => void (await document.fonts.ready))
    await page.evaluate(([words, song]) => window.stage.drawAll(words, song), [
      [...longest, ...catalogue],
      song,
    ] as const)
    const youtubeId = newVideoId()
    // Another song than the drawn one, so that it starts; the same at every size, so that it stays paused.
    const shown = {
      ...song,
      id: '2',
      ...(hasVideo && { youtubeId, albumArt: `${app.youtube.url}/vi/${youtubeId}/hqdefault.jpg` }),
    }
    await page.evaluate((shown) => window.stage.showSong(shown), shown)
    await expect(art(page, 'Pause')).toBeVisible()
    // A preview that ends shows more than that.
    await art(page, 'Pause').click()
    await expect(art(page, 'Play')).toBeVisible()
    for (const [width, height] of SCREENS) {
      await page.setViewportSize({ width, height })
      const faults = await page.evaluate((shown) => window.stage.findFaults(shown), shown)
      expect.soft(faults, `${width} by ${height}`).toEqual({})
    }
    await expect(art(page, 'Play')).toBeVisible()
  })
