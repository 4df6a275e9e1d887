import type { ReactNode } from 'react'

const tones = {
  plain: 'text-ink',
  good: 'text-success',
  fair: 'text-warning',
  poor: 'text-danger',
} satisfies Record<string, string>

export type Tone = keyof typeof tones

/** Colours of judging words and figures. */
export const toneLook = (tone: Tone) => tones[tone]

/** A coloured judgement of a word or two; colour is never its only sign. */
export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-[4px] bg-raised px-2 py-0.5 text-2xs font-semibold whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
