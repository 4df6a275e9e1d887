import { defineConfig, devices } from '@playwright/test'
import { TEST_ALL } from './tests/harness/tier.ts'

/** `npm test` reads the counts from this file. */
const report = process.env.TEST_REPORT

/** Found by scripts/findBrowser.mjs; a browser test by hand may name it. */
const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

export default defineConfig({
  testDir: 'tests/browser',
  // Tests that only `npm run test:all` runs.
  grepInvert: TEST_ALL ? undefined : /@long|\.long\.spec/,
  outputDir: 'test-results',
  // Else the workers wait for the longest file.
  fullyParallel: true,
  // Each waits for its pages for a third of its time.
  workers: 3,
  retries: 0,
  // Limits for what hangs, on machines that are several times slower: what works ends long before.
  timeout: 150_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: report ? [['dot'], ['json', { outputFile: report }]] : [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: browser,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Less CPU time: pages of a test share a process, drawing needs none of its own, and code that runs for
        // seconds is not optimised.
        '--renderer-process-limit=1',
        '--in-process-gpu',
        '--js-flags=--no-opt --no-maglev',
        // The page may start sound. Otherwise it depends on whether Playwright has looked at the page before, which
        // counts as a gesture. Tests of blocked sound block it themselves.
        '--autoplay-policy=no-user-gesture-required',
        // A camera that shows a test picture.
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
      ],
    },
  },
})
