import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { endInOrder } from './shutdown.ts'

test('steps end one after the other', async () => {
  const ended: string[] = []
  const step = (name: string, ms: number) => ({
    name,
    timeout: 5000,
    async end() {
      await wait(ms)
      ended.push(name)
    },
  })

  expect(await endInOrder([step('slow', 50), step('quick', 1)])).toEqual([])
  expect(ended).toEqual(['slow', 'quick'])
})

test('a step that hangs is forced, one that fails is logged, and the rest still ends', async () => {
  const done: string[] = []
  const problems = await endInOrder([
    { name: 'calls', timeout: 50, end: () => new Promise(() => {}), force: () => done.push('forced') },
    { name: 'mail', timeout: 5000, end: () => Promise.reject(new Error('no route')) },
    { name: 'database', timeout: 5000, end: async () => done.push('ended') },
  ])

  expect(problems).toEqual(['calls did not end within 0.05 s', 'mail: no route'])
  expect(done).toEqual(['forced', 'ended'])
})
