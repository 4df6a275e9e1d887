import { expect, signIn, test } from './fixtures.ts'

/** The pages for operators. */
const PAGES = ['/verification', '/auth-test', '/youtube-optimization', '/coverage', '/feedback', '/admin']

for (const width of [1440, 1920])
  test(`diagnostics-24: at ${width} px the pages use the width of the screen`, async ({ page, app }) => {
    await app.db`insert into feedback (email, message) select 'v@example.org', 'Wide' from generate_series(1, 4)`
    await page.setViewportSize({ width, height: 1080 })
    await signIn(page, { path: '/verification' })
    for (const path of PAGES) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (path === '/coverage') await expect(page.getByRole('table')).toBeVisible()
      if (path === '/feedback' || path === '/admin')
        await expect(page.getByRole('listitem')).not.toHaveCount(0)
      const edges = await page.getByRole('main').evaluate((main) => {
        const boxes = [...main.querySelectorAll('section, li, [role=progressbar], dl, table')].map((part) =>
          part.getBoundingClientRect(),
        )
        return {
          left: Math.min(...boxes.map((box) => box.left)),
          right: Math.max(...boxes.map((box) => box.right)),
        }
      })
      expect(edges.right - edges.left, path).toBeGreaterThan(width * 0.9)
    }
  })
