/**
 * What tests make up is made up the same way each time, so that a run which fails will fail again; FUZZ_SEED=… makes
 * up other things.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
