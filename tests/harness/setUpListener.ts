import { beforeEach } from 'vitest'
import type { TestApp } from './setUpApp.ts'

type Listener = Awaited<ReturnType<TestApp['signIn']>>

/** A listener who is signed in: another one for each test. */
export function setUpListener(app: TestApp): Listener {
  let listener: Listener
  beforeEach(async () => {
    listener = await app.signIn()
  })
  return new Proxy({} as Listener, { get: (_, name) => Reflect.get(listener, name) })
}
