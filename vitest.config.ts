import { defineConfig } from 'vitest/config'

/** `npm test` reads the counts from this file. */
const report = process.env.TEST_REPORT

export default defineConfig({
  test: {
    include: ['{contract,server,web,catalogue}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    exclude: ['tests/browser/**', '**/node_modules/**'],
    globalSetup: ['tests/harness/globalSetup.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    maxWorkers: 3,
    // Far more than any test takes: a machine that is busy, or stands still for seconds, is no fault of the product.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
