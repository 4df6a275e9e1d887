import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { abortAfter } from './abortAfter.ts'

test('a time limit holds, although memory is collected before it is over', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const work = wait(30_000, undefined, { signal: abortAfter(300, new AbortController().signal) })
  const ended = expect(work).rejects.toThrow('aborted')
  await wait(50)
  collect()
  await ended
})
