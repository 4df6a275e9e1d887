import type { Locator, Page } from '@playwright/test'
import fc from 'fast-check'
import { scaled, TEST_ALL } from '../harness/tier.ts'
import { touch } from './clock.ts'
import {
  art,
  expect,
  genre,
  openPlaying,
  pad,
  previewSongs,
  type TestMicrogenre,
  test,
  title,
  watchRatings,
} from './testSongs.ts'

/*
 * Mouse, keys and fingers in any order: each press rates what was meant, or nothing (discover-7, discover-8,
 * screens-6, screens-11). HANDS_SEED=… repeats a run, HANDS_ACTIONS=… makes it longer.
 */

const SEED = Number(process.env.HANDS_SEED ?? (TEST_ALL ? Math.trunc(Math.random() * 1e9) : 7))
const ACTIONS = Number(process.env.HANDS_ACTIONS ?? scaled(8, 50))

type Verdict = 'banger' | 'bust'
type MixedInput = ReturnType<typeof createInput>

test('mixed actions of mouse, keys and fingers: no rating is lost, and none is unintended', async ({
  page,
  stock,
}) => {
  test.setTimeout(ACTIONS * 15_000)
  const hands = createInput(page, await stock(previewSongs(ACTIONS + 10)))
  await openPlaying(page)
  const actionLog = [`HANDS_SEED=${SEED}`]
  console.log(actionLog[0])
  for (const [name, verdict] of fc.sample(anyAction, { numRuns: ACTIONS, seed: SEED })) {
    actionLog.push(`${name} (${verdict})`)
    await test.step(actionLog.at(-1) ?? '', () => actions[name](hands, verdict))
    expect(hands.ratings(), actionLog.join(', ')).toEqual(hands.meant)
  }
})

/** The actions, with either verdict. Each begins on Discover, without a dialog, at a song that can be rated. */
const actions = {
  key: ({ rates, press }, verdict) => rates(verdict, () => press(keyOf[verdict])),
  'held key': ({ rates, page }, verdict) =>
    rates(verdict, async () => {
      for (let n = 0; n < 4; n++) await page.keyboard.down(keyOf[verdict])
      await page.keyboard.up(keyOf[verdict])
    }),
  'two keys at once': ({ rates, press }, verdict) =>
    rates(verdict, async () => {
      await press(keyOf[verdict])
      await press(keyOf[otherThan(verdict)])
    }),
  click: ({ rates, page }, verdict) => rates(verdict, () => pad(page, padOf[verdict]).click()),
  'double click': ({ rates, page }, verdict) => rates(verdict, () => pad(page, padOf[verdict]).dblclick()),
  'click and key': ({ rates, page, press }, verdict) =>
    rates(verdict, async () => {
      await pad(page, padOf[verdict]).click()
      await press(keyOf[verdict])
    }),
  'click and Space': async ({ rates, page, toggles, press }, verdict) => {
    await rates(verdict, () => pad(page, padOf[verdict]).click())
    await toggles(() => press('Space'))
  },
  tap: ({ rates, page, tap }, verdict) => rates(verdict, () => tap(pad(page, padOf[verdict]))),
  pull: ({ rates, pull }, verdict) => rates(verdict, () => pull(verdict === 'banger' ? 0.7 : -0.7)),
  'short pull': ({ pull }, verdict) => pull(verdict === 'banger' ? 0.2 : -0.2),
  'key after the volume': async ({ rates, page, press }, verdict) => {
    await page.getByRole('main').getByRole('slider', { name: 'Volume' }).click()
    await rates(verdict, () => press(keyOf[verdict]))
  },
  'Tab to a pad, and Space': async ({ rates, page, press }, verdict) => {
    await expect(async () => {
      await press('Tab')
      expect(await pad(page, padOf[verdict]).evaluate((key) => key === document.activeElement)).toBe(true)
    }).toPass({ intervals: [0] })
    await rates(verdict, () => press('Space'))
    // As long as the focus came by Tab, Space is the pad's own key.
    await title(page).click()
  },
  Space: ({ toggles, press }) => toggles(() => press('Space')),
  'click on the art': ({ toggles, record }) => toggles(() => record.click()),
  'tap on the art': ({ toggles, tap, record }) => toggles(() => tap(record)),
  'keys in another section': async ({ page, press }, verdict) => {
    await press(verdict === 'banger' ? '2' : '3')
    await expect(title(page)).toHaveText(verdict === 'banger' ? 'My Library' : /Community/)
    await press(keyOf[verdict])
    await press('1')
    await expect(pad(page, 'BANGER')).toBeEnabled()
  },
  'another section by mouse, and Space': async ({ page, press }) => {
    await page.getByRole('banner').getByRole('button', { name: 'My Library' }).click()
    await expect(title(page)).toHaveText('My Library')
    await press('Space')
    await page.getByRole('button', { name: 'Back to Discover' }).click()
    await expect(pad(page, 'BANGER')).toBeEnabled()
  },
  'keys in a dialog': async ({ page, press }, verdict) => {
    await press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeVisible()
    await press(keyOf[verdict])
    await press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
  'keys in the search of the picker': async ({ page, press }, verdict) => {
    await genre(page).click()
    await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused()
    for (const key of ['x', ' ', keyOf[verdict], '2']) await press(key)
    await press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
  'key and undo': async ({ rates, page, press }, verdict) => {
    const song = (await title(page).textContent()) ?? ''
    await rates(verdict, () => press(keyOf[verdict]))
    await press('u')
    await expect(title(page)).toHaveText(song)
    await expect(pad(page, 'BANGER')).toBeEnabled()
  },
} satisfies Record<string, (hands: MixedInput, verdict: Verdict) => Promise<void>>

const anyAction = fc.tuple(
  fc.constantFrom(...(Object.keys(actions) as (keyof typeof actions)[])),
  fc.constantFrom<Verdict>('banger', 'bust'),
)

const keyOf = { banger: 'ArrowRight', bust: 'ArrowLeft' } as const
const padOf = { banger: 'BANGER', bust: 'BUST' } as const
const otherThan = (verdict: Verdict): Verdict => (verdict === 'banger' ? 'bust' : 'banger')

function createInput(page: Page, { songs }: TestMicrogenre) {
  const sentRatings = watchRatings(page)
  const record = page.getByRole('main').locator('[aria-keyshortcuts=Space]')
  const meant: string[] = []
  const titles = new Map(songs.map((song) => [song.id, song.title]))
  return {
    page,
    record,
    /** The ratings that the listener meant, as `ratings()` gives those that were sent. */
    meant,
    ratings: () => sentRatings.map(({ songId, rating }) => `${titles.get(songId)}: ${rating}`),
    press: (key: string) => page.keyboard.press(key),
    /** Does what rates the song on screen, and waits for the next one. */
    async rates(verdict: Verdict, act: () => Promise<void>) {
      const song = (await title(page).textContent()) ?? ''
      meant.push(`${song}: ${verdict}`)
      await act()
      await expect(title(page)).not.toHaveText(song)
      await expect(pad(page, 'BANGER')).toBeEnabled()
    },
    /** Does what plays or pauses. */
    async toggles(act: () => Promise<void>) {
      await expect(record).toHaveAccessibleName(/Play|Pause/)
      const isPlaying = (await record.getAttribute('aria-label')) === 'Pause'
      await act()
      await expect(art(page, isPlaying ? 'Play' : 'Pause')).toBeVisible()
    },
    async tap(target: Locator) {
      await (await touch(page, target)).release()
    },
    /** A finger drags the art sideways and releases it, by this share of its width. */
    async pull(share: number) {
      const finger = await touch(page, record)
      await finger.moveTo(share * finger.width)
      await finger.release()
    },
  }
}
