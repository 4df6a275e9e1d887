import type { Tone } from './Tag.tsx'

/** The colour of a match score: green from 80, yellow from 60, else red (diagnostics-18). */
export function matchTone(score: number): Exclude<Tone, 'plain'> {
  if (score >= 80) return 'good'
  return score >= 60 ? 'fair' : 'poor'
}
