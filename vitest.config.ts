import { defineConfig } from 'vitest/config'
import { TEST_ALL } from './tests/harness/tier.ts'

/** `npm test` reads the counts from this file. */
const report = process.env.TEST_REPORT

const all = ['{contract,server,web,catalogue}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts']
/** One replaces modules, which other files in the same worker would see, and one measures the memory of its process. */
const inOwnProcess = ['tests/api/anyRequest.test.ts', 'tests/api/imports.long.test.ts']

export default defineConfig({
  test: {
    exclude: ['tests/browser/**', '**/node_modules/**', ...(TEST_ALL ? [] : ['**/*.long.test.ts'])],
    globalSetup: ['tests/harness/globalSetup.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    maxWorkers: 3,
    restoreMocks: true,
    unstubGlobals: true,
    // Far more than any test takes: a machine that is busy, or stands still for seconds, is no fault of the product.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      // A worker imports the server once for all its files, which halves the time of a run.
      {
        extends: true,
        test: { name: 'shared modules', include: all, exclude: inOwnProcess, isolate: false },
      },
      { extends: true, test: { name: 'own process', include: inOwnProcess } },
    ],
  },
})
