import { useState } from 'react'

const periods = ['Today', 'This Week', 'All Time'] as const

/** Choosing a period only moves the highlight; the figures are all-time (community-2). */
export function PeriodButtons() {
  const [period, setPeriod] = useState<(typeof periods)[number]>('All Time')
  return (
    <fieldset className="flex overflow-hidden rounded-control border border-line-strong">
      <legend className="sr-only">Period</legend>
      {periods.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={period === name}
          onClick={() => setPeriod(name)}
          className="period"
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
