import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A service of a test file, such as a stand-in: started before the first test, and ended after the last. */
export function setUpService<T extends object>(
  start: () => Promise<T>,
  end: (service: T) => unknown = (service) => (service as T & { close?(): unknown }).close?.(),
): T {
  let service: T
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service && end(service))
  return new Proxy((() => {}) as unknown as T, {
    get: (_, name) => Reflect.get(service, name),
    set: (_, name, value) => Reflect.set(service, name, value),
    apply: (_, __, given) => Reflect.apply(service as () => unknown, undefined, given),
  })
}

/** A temporary folder for this test file. */
export function setUpFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bob-tests-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
