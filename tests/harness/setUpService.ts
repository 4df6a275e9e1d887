import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { TestApp } from './setUpApp.ts'

/** What a file's tests use, such as a stand-in: started before the first test, and ended after the last. */
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

type Listener = Awaited<ReturnType<TestApp['signIn']>>

/** A listener who is signed in: another one for each test. */
export function setUpListener(app: TestApp): Listener {
  let listener: Listener
  beforeEach(async () => {
    listener = await app.signIn()
  })
  return new Proxy({} as Listener, { get: (_, name) => Reflect.get(listener, name) })
}
