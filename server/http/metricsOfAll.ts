import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'

/*
 * The metrics of all server processes at one address, each of which may receive the scrape. That one asks the process
 * that started them, which asks all and adds up. prom-client's own way also waits for processes that still start.
 */

/** The metrics of one process. */
type Given = MetricObjectWithValues<MetricValue<string>>[][]

/** `ask` numbers the questions of one process. The last two are for the answers. */
interface Message {
  metrics: 'of all' | 'of one'
  ask: number
  given?: Given
  text?: string
}

/** Milliseconds after which a process is left out. */
const LONGEST = 2000

/** Collects when a server process asks. */
export function answerMetrics(): void {
  const listening = new Set<Worker>()
  const waiting = new Map<number, (given: Given) => void>()
  let asked = 0
  cluster.on('listening', (worker) => listening.add(worker))
  cluster.on('exit', (worker) => listening.delete(worker))
  cluster.on('message', (worker, message: Message) => {
    if (message.metrics === 'of one') waiting.get(message.ask)?.(message.given ?? [])
    if (message.metrics !== 'of all') return
    void addUp().then((text) => send(worker, { ...message, text }))
  })

  async function addUp(): Promise<string> {
    const given = await Promise.all([...listening].map(readOne))
    return AggregatorRegistry.aggregate(given.flat()).metrics()
  }

  function readOne(worker: Worker): Promise<Given> {
    const ask = ++asked
    return new Promise<Given>((resolve) => {
      waiting.set(ask, resolve)
      setTimeout(() => resolve([]), LONGEST)
      send(worker, { metrics: 'of one', ask })
    }).finally(() => waiting.delete(ask))
  }
}

/** Offers the metrics of this process, one of several. Gives a function that reads those of all. */
export function shareMetrics(own: Registry[]): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  process.on('message', async (message: Message) => {
    if (message.metrics === 'of all') waiting.get(message.ask)?.(message.text ?? '')
    if (message.metrics !== 'of one') return
    const given = await Promise.all(own.map((registry) => registry.getMetricsAsJSON()))
    process.send?.({ ...message, given } satisfies Message)
  })
  return () => {
    const ask = ++asked
    return new Promise<string>((resolve) => {
      waiting.set(ask, resolve)
      process.send?.({ metrics: 'of all', ask } satisfies Message)
    }).finally(() => waiting.delete(ask))
  }
}

/** To one that has just ended the message is lost. */
const send = (worker: Worker, message: Message) => void worker.send(message, () => {})
