/** The name: BANGER wide and heavy, BUST narrow and thin. */
export function Wordmark({
  className = 'text-[1.05rem] max-[23.75rem]:text-[0.9375rem] max-[21.875rem]:text-[0.8125rem]',
}: {
  className?: string
}) {
  return (
    <span
      className={`wordmark inline-flex items-baseline gap-[0.28em] font-display leading-none uppercase ${className}`}
    >
      <b className="font-black font-stretch-150%">Banger</b>{' '}
      <span className="font-text text-[0.78em] font-medium text-ink-2 normal-case">or</span>{' '}
      <i className="text-[1.42em] font-medium not-italic font-stretch-50%">Bust</i>
    </span>
  )
}
