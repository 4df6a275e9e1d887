/** Set by `npm run test:all`: soaks are long, and the tests that only it has run too (see CONTRIBUTING.md). */
export const TEST_ALL = process.env.TEST_ALL === '1'

/** The size of a test in `npm test` and in `npm run test:all`, such as its number of steps. */
export function scaled(short: number, long: number): number {
  return TEST_ALL ? long : short
}
