import cluster from 'node:cluster'
import {
  type Aggregator,
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import { processMetrics } from '../processMetrics.ts'
import { HttpError } from './HttpError.ts'

/** The database's gauges, which serveMetrics.ts reads. */
export interface Gauges {
  ratings: { banger: number; bust: number }
  /** Rating changes that wait for the roll-up, counted up to a maximum. */
  ratingChangesWaiting: number
  /** Seconds since the oldest of them; 0 when none wait. */
  rollUpLag: number
  feedbackWaiting: number
  /** For each outside service with a rate limit, the seconds until the last turn that is reserved, or the end of a pause. */
  serviceWaits: Record<string, number>
  /** Of each job: its failed runs since the last good one, and by how many seconds it is late. */
  jobs: Record<string, { failures: number; late: number }>
  /** Connections of all server processes by state. */
  connections: Record<string, number>
  /** The last backup: its age in seconds, and its size. */
  backup: { age: number; bytes: number } | null
  /** Seconds since a backup was restored to prove it. */
  backupProofAge: number | null
}

/**
 * Prometheus metrics, one set per application, without personal data. Of several server processes at one address each
 * gives the metrics of all, with counts added up.
 */
export class Metrics {
  /** Metrics of one process. */
  readonly #own = new Registry()
  /** Metrics that are the same in all processes. */
  readonly #common = new Registry()
  readonly #readOwn: () => Promise<string>

  readonly #duration = new Histogram({
    name: 'banger_http_request_duration_seconds',
    help: 'Time from a request to the end of its response, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.#own],
  })
  readonly #databaseUp = this.#gauge('banger_database_up', 'Whether the database answered this scrape.')
  readonly #connections = this.#gauge(
    'banger_database_connections',
    'Database connections of all server processes.',
    ['state'],
  )
  readonly #ratings = this.#gauge('banger_ratings', 'Current ratings, as counted by the roll-up.', ['rating'])
  readonly #changesWaiting = this.#gauge(
    'banger_rating_changes_waiting',
    'Rating changes that the roll-up has not added yet, counted up to 100,000.',
  )
  readonly #rollUpLag = this.#gauge(
    'banger_roll_up_lag_seconds',
    'Age of the oldest rating change that is not in the totals.',
  )
  readonly #feedbackWaiting = this.#gauge('banger_feedback_waiting', 'Feedback that has not been mailed yet.')
  readonly #serviceWaits = this.#gauge(
    'banger_service_wait_seconds',
    'Seconds until calls that wait for the rate limit of an outside service have had their turns.',
    ['service'],
  )
  readonly #jobFailures = this.#gauge(
    'banger_job_failures',
    'Failed runs of a job since the last one that succeeded.',
    ['name'],
  )
  readonly #jobLate = this.#gauge(
    'banger_job_late_seconds',
    'Seconds for which a job has been due and no process has run it, or has run it for more than three hours.',
    ['name'],
  )
  readonly #backupAge = this.#gauge('banger_backup_age_seconds', 'Age of the last backup.')
  readonly #backupBytes = this.#gauge('banger_backup_size_bytes', 'Size of the last backup.')
  readonly #backupProofAge = this.#gauge(
    'banger_backup_proof_age_seconds',
    'Seconds since a backup was last restored to prove it.',
  )

  constructor({ poolSize }: { poolSize: number }) {
    this.measure('banger_database_pool_size', 'Maximum database connections.', () => poolSize)
    const own = [nodeMetrics(), this.#own]
    this.#readOwn = cluster.isWorker ? shareMetrics(own) : () => Registry.merge(own).metrics()
  }

  /** Counts one answered request. `route` is a template and never an address. */
  countRequest(labels: { method: string; route: string; status: number }, seconds: number): void {
    this.#duration.observe(labels, seconds)
  }

  /** All metrics in the Prometheus text format. `gauges` is null when the database did not answer. */
  async write(gauges: Gauges | null): Promise<{ type: string; text: string }> {
    this.#databaseUp.set(gauges ? 1 : 0)
    for (const gauge of [
      this.#ratings,
      this.#connections,
      this.#changesWaiting,
      this.#feedbackWaiting,
      this.#serviceWaits,
      this.#jobFailures,
      this.#jobLate,
    ])
      gauge.reset()
    // What is unknown is absent: an age of 0 would be good news.
    for (const gauge of [this.#rollUpLag, this.#backupAge, this.#backupBytes, this.#backupProofAge])
      gauge.remove()
    if (gauges) {
      if (gauges.backup) {
        this.#backupAge.set(gauges.backup.age)
        this.#backupBytes.set(gauges.backup.bytes)
      }
      if (gauges.backupProofAge !== null) this.#backupProofAge.set(gauges.backupProofAge)
      this.#changesWaiting.set(gauges.ratingChangesWaiting)
      this.#rollUpLag.set(gauges.rollUpLag)
      this.#feedbackWaiting.set(gauges.feedbackWaiting)
      for (const [rating, count] of Object.entries(gauges.ratings)) this.#ratings.set({ rating }, count)
      for (const [service, wait] of Object.entries(gauges.serviceWaits))
        this.#serviceWaits.set({ service }, wait)
      for (const [name, { failures, late }] of Object.entries(gauges.jobs)) {
        this.#jobFailures.set({ name }, failures)
        this.#jobLate.set({ name }, late)
      }
      for (const [state, count] of Object.entries(gauges.connections)) this.#connections.set({ state }, count)
    }
    const [own, common] = await Promise.all([this.#readOwn(), this.#common.metrics()])
    return { type: this.#common.contentType, text: `${own}\n${common}` }
  }

  /** A figure of the database. */
  #gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#common] })
  }

  /** Adds a figure of this process. `aggregator` combines those of several. */
  measure(
    name: string,
    help: string,
    read: () => number | Promise<number>,
    aggregator: Aggregator = 'sum',
  ): void {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [this.#own],
      async collect() {
        this.set(await read())
      },
    })
  }
}

/** With Node's metrics: event loop, memory, CPU, open files. */
function nodeMetrics(): Registry {
  if (!processMetrics.getSingleMetric('process_cpu_seconds_total'))
    collectDefaultMetrics({ register: processMetrics })
  return processMetrics
}

/**
 * A request for the metrics of all server processes, or its response, with the same number. Any of them may receive the
 * scrape, but only the primary process can ask all. `text` is null when a process did not respond in time.
 */
interface Message {
  metricsOfAll?: number
  text?: string | null
}

/**
 * Makes this process ready to be asked for its metrics. The primary process also collects those of all when one asks. To
 * be called before a process is asked.
 */
export function collectClusterMetrics(): void {
  const registry = new AggregatorRegistry()
  if (cluster.isWorker) return
  cluster.on('message', (worker, { metricsOfAll }: Message) => {
    if (metricsOfAll === undefined) return
    // It may have ended meanwhile.
    const answer = (text: string | null) => worker.send({ metricsOfAll, text }, () => {})
    registry.clusterMetrics().then(answer, () => answer(null))
  })
}

/** Shares the metrics of this process, one of several. Returns a function that reads those of all. */
function shareMetrics(own: Registry[]): () => Promise<string> {
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
