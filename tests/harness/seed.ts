/**
 * The seed of generated input is fixed, so that a failing run fails again; FUZZ_SEED=… generates other
 * input.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
