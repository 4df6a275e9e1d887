import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { HttpError } from './HttpError.ts'

/*
 * The metrics of all server processes at one address, each of which may receive the scrape. Only the process that
 * started them can ask all, so that one asks it.
 */

/** `text` is in the answer; null when a process did not give its metrics in time. */
interface Message {
  metricsOfAll?: number
  text?: string | null
}

/** Gives metrics to the process that started the others, from the first moment on, and there collects when one asks. */
export function collectClusterMetrics(): void {
  const registry = new AggregatorRegistry()
  if (cluster.isWorker) return
  cluster.on('message', (worker, { metricsOfAll }: Message) => {
    if (metricsOfAll === undefined) return
    // To one that has just ended the answer is lost.
    const answer = (text: string | null) => worker.send({ metricsOfAll, text }, () => {})
    registry.clusterMetrics().then(answer, () => answer(null))
  })
}

/** Offers the metrics of this process, one of several. Gives a function that reads those of all. */
export function shareMetrics(own: Registry[]): () => Promise<string> {
  AggregatorRegistry.setRegistries(own)
  let lastRequest = 0
  return () => {
    const metricsOfAll = ++lastRequest
    return new Promise((resolve, reject) => {
      process.on('message', function take(message: Message) {
        if (message.metricsOfAll !== metricsOfAll) return
        process.off('message', take)
        if (typeof message.text === 'string') resolve(message.text)
        else reject(new HttpError(503, 'A server process does not give its metrics.'))
      })
      process.send?.({ metricsOfAll } satisfies Message)
    })
  }
}
