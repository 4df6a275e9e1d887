import { Counter, Gauge, Registry } from 'prom-client'

/** Metrics of this process that do not belong to one application. */
export const processMetrics = new Registry()
const registers = [processMetrics]

/** `code` is PostgreSQL's, such as 40P01 for a deadlock and 57014 for a time-out, or `connection`. */
export const databaseErrors = new Counter({
  name: 'banger_database_errors_total',
  help: "Failed statements by PostgreSQL's code, and connections that were lost or not free in time.",
  labelNames: ['code'],
  registers,
})

/** `result` is `answered`, `failed` or `retried`. */
export const serviceCalls = new Counter({
  name: 'banger_service_calls_total',
  help: 'Calls to outside services.',
  labelNames: ['service', 'result'],
  registers,
})

export const limitRefusals = new Counter({
  name: 'banger_limit_refusals_total',
  help: 'Uses beyond a limit that all processes share.',
  labelNames: ['limit'],
  registers,
})

export const openBreakers = new Gauge({
  name: 'banger_service_breaker_open',
  help: 'Processes that do not call an outside service for a while, because it failed several times.',
  labelNames: ['service'],
  registers,
})
