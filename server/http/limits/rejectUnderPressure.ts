import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../HttpError.ts'

/** Milliseconds between two samples of the histogram. */
const SAMPLE_INTERVAL = 10

/** Milliseconds over which the delay is averaged. */
const AVERAGING_WINDOW = 1000

/**
 * Rejects calls while the event loop's delay exceeds `most` milliseconds. It makes no system calls:
 * @fastify/under-pressure reads the process's memory, which throws and ends the process when no file can be opened.
 */
export function rejectUnderPressure(app: FastifyInstance, maxDelay: number): void {
  if (maxDelay === 0) return
  const histogram = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL })
  histogram.enable()
  let delay = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // Without a sample, the event loop was blocked all the time.
    delay = Number.isNaN(histogram.mean) ? now - last : histogram.mean / 1e6 - SAMPLE_INTERVAL
    last = now
    histogram.reset()
  }, AVERAGING_WINDOW).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    histogram.disable()
  })
  app.addHook('onRequest', (_, _reply, done) => {
    done(delay > maxDelay ? new HttpError(503, BUSY_MESSAGE, { retryAfter: 2 }) : undefined)
  })
}

const BUSY_MESSAGE = 'The service is busy. Please try again in a moment.'
