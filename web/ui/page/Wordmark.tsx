/** The name: BANGER wide and heavy, BUST narrow and thin. Documents without React use the same classes. */
export function Wordmark({ className = '' }: { className?: string }) {
  return (
    <span className={`wordmark ${className}`}>
      <b>Banger</b> <span>or</span> <i>Bust</i>
    </span>
  )
}
