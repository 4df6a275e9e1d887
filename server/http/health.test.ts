import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Database } from '../db/connection.ts'
import { addHealthRoutes } from './health.ts'

test('limits-1: /health asks the database one thing at a time, however many ask', async () => {
  const app = fastify()
  const waiting: (() => void)[] = []
  const db = (() => new Promise<void>((resolve) => waiting.push(resolve))) as unknown as Database
  addHealthRoutes(app, { db, secret: 'secret' }, () => false)
  const askTogether = async () => {
    const answers = Promise.all(Array.from({ length: 50 }, () => app.inject('/health')))
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    await new Promise(setImmediate)
    expect(waiting).toHaveLength(1)
    waiting.pop()?.()
    return new Set((await answers).map(({ statusCode }) => statusCode))
  }

  expect([await askTogether(), await askTogether()]).toEqual([new Set([200]), new Set([200])])
})
