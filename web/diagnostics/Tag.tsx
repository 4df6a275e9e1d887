import type { ReactNode } from 'react'

const tones = {
  plain: 'text-ink',
  good: 'text-success',
  fair: 'text-warning',
  poor: 'text-danger',
} satisfies Record<string, string>

export type Tone = keyof typeof tones

/** The colour of words and figures that judge. */
export const toneLook = (tone: Tone) => tones[tone]

/** A word or two that judge, always in words too. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-[4px] bg-raised px-2 py-0.5 text-2xs font-semibold whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
