import { defineConfig } from 'vitest/config'

/** `npm test` reads the counts from this file. */
const report = process.env.TEST_REPORT

export default defineConfig({
  test: {
    include: ['{contract,server,web,catalogue}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    exclude: ['tests/browser/**', '**/node_modules/**'],
    globalSetup: ['tests/harness/globalSetup.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // What is polled for comes when it comes: a machine may stand still for more than the second that is usual.
    expect: { poll: { timeout: 10_000 } },
  },
})
