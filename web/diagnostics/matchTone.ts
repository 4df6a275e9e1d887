import type { Tone } from './Tag.tsx'

/** The colour of a match score, 0 to 100: from 80 green, from 60 yellow, below red (spec §4). */
export function matchTone(score: number): Exclude<Tone, 'plain'> {
  if (score >= 80) return 'good'
  return score >= 60 ? 'fair' : 'poor'
}
