import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Database gauges of a scrape: see server/process/gauges.ts. */
export interface Gauges {
  ratings: { banger: number; bust: number }
  /** Rating changes that wait for the roll-up, counted up to a maximum. */
  ratingChangesWaiting: number
  feedbackWaiting: number
  /** Connections of all server processes by state. */
  connections: Record<string, number>
}

/** Prometheus metrics, one set per application. They contain no personal data. */
export class Metrics {
  readonly #registry = new Registry()
  #rolledUpAt = Date.now()

  readonly #duration = new Histogram({
    name: 'banger_http_request_duration_seconds',
    help: 'Time from a request to the end of its response, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.#registry],
  })
  readonly #databaseUp = this.#gauge('banger_database_up', 'Whether the database answered this scrape.')
  readonly #poolSize = this.#gauge(
    'banger_database_pool_size',
    'Maximum database connections of this process.',
  )
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
    'Seconds since this process last brought the totals up to date.',
  )
  readonly #feedbackWaiting = this.#gauge('banger_feedback_waiting', 'Feedback that has not been mailed yet.')
  readonly #picturesWaiting = this.#gauge(
    'banger_pictures_waiting',
    'Share pictures waiting for the renderer.',
  )

  constructor({ poolSize }: { poolSize: number }) {
    this.#poolSize.set(poolSize)
  }

  /** Counts one answered request. `route` is a template and never an address. */
  countRequest(request: { method: string; route: string; status: number; seconds: number }): void {
    const { seconds, ...labels } = request
    this.#duration.observe(labels, seconds)
  }

  /** Records that the totals are up to date. */
  rolledUp(): void {
    this.#rolledUpAt = Date.now()
  }

  /** All metrics in the Prometheus text format. `gauges` is null when the database did not answer. */
  async write(gauges: Gauges | null, picturesWaiting: number): Promise<{ type: string; text: string }> {
    this.#databaseUp.set(gauges ? 1 : 0)
    this.#rollUpLag.set((Date.now() - this.#rolledUpAt) / 1000)
    this.#picturesWaiting.set(picturesWaiting)
    for (const gauge of [this.#ratings, this.#connections, this.#changesWaiting, this.#feedbackWaiting])
      gauge.reset()
    if (gauges) {
      this.#changesWaiting.set(gauges.ratingChangesWaiting)
      this.#feedbackWaiting.set(gauges.feedbackWaiting)
      for (const [rating, count] of Object.entries(gauges.ratings)) this.#ratings.set({ rating }, count)
      for (const [state, count] of Object.entries(gauges.connections)) this.#connections.set({ state }, count)
    }
    const all = Registry.merge([ofThisProcess(), this.#registry])
    return { type: all.contentType, text: await all.metrics() }
  }

  #gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] })
  }
}

let processMetrics: Registry | undefined

/** Node's own metrics: event loop, memory, CPU, open files. One set per process. */
function ofThisProcess(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}
