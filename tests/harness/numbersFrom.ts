/** Numbers from 0 to 1, the same in every run. They repeat after four billion. */
export function numbersFrom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1)
  return () => {
    state = (state + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    const again = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((again ^ (again >>> 15)) >>> 0) / 2 ** 32
  }
}
