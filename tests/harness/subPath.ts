/** With `TEST_SUB_PATH=/music` the browser tests run the application below that path (see CONTRIBUTING.md). */
export const SUB_PATH = process.env.TEST_SUB_PATH ?? ''

/** The path in the application of an address. Tests name paths as if it had its host to itself. */
export function pathAt(address: string): string {
  const { pathname } = new URL(address)
  return pathname.startsWith(`${SUB_PATH}/`) ? pathname.slice(SUB_PATH.length) : pathname
}
