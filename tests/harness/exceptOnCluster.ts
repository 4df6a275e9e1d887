import { inject, test } from 'vitest'

/** Whether the tests run on a cluster with Citus. */
export const isOnCluster = (): boolean => inject('nodes').length > 1

/** `test` for what a cluster cannot do, for this reason: there it is reported as skipped. docs/decisions/0024 lists them. */
export const exceptOnCluster = (_reason: string) => (isOnCluster() ? test.skip : test)
