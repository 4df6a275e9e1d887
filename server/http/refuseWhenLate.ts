import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { HttpError } from './HttpError.ts'

/** Milliseconds between two samples of the histogram. */
const RESOLUTION = 10

/** Milliseconds over which the delay is averaged. */
const WINDOW = 1000

/**
 * Rejects calls while the event loop's delay exceeds `most` milliseconds. It makes no system calls:
 * @fastify/under-pressure reads the process's memory, which throws and ends the process when no file can be opened.
 */
export function refuseWhenLate(app: FastifyInstance, most: number): void {
  if (most === 0) return
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  histogram.enable()
  let delay = 0
  const timer = setInterval(() => {
    // Without a single sample the event loop was blocked all the time.
    delay = Number.isNaN(histogram.mean) ? Number.POSITIVE_INFINITY : histogram.mean / 1e6 - RESOLUTION
    histogram.reset()
  }, WINDOW).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
  app.addHook('onRequest', (_, _reply, done) => {
    done(delay > most ? new HttpError(503, BUSY, { retryAfter: 2 }) : undefined)
  })
}

const BUSY = 'The service is busy. Please try again in a moment.'
