/** Set by `npm run test:all`: soaks are long, and the tests that only it has run too (see CONTRIBUTING.md). */
export const TEST_ALL = process.env.TEST_ALL === '1'

/** The size of a test in `npm test` and in `npm run test:all`, such as its number of steps. */
export function scaled(short: number, long: number): number {
  return TEST_ALL ? long : short
}

/**
 * The seed of generated input is fixed, so that a failing run fails again; FUZZ_SEED=… generates other
 * input.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)

/** With `TEST_SUB_PATH=/music` the browser tests run the application below that path (see CONTRIBUTING.md). */
export const SUB_PATH = process.env.TEST_SUB_PATH ?? ''

/** The path of an address within the application. Tests name paths without TEST_SUB_PATH. */
export function pathAt(address: string): string {
  const { pathname } = new URL(address)
  return pathname.startsWith(`${SUB_PATH}/`) ? pathname.slice(SUB_PATH.length) : pathname
}
