import { useEffect, useState } from 'react'
import { afterPaint } from './afterPaint.ts'

/** False until the browser has painted what was rendered with `when`. For content that may come a moment later. */
export function useHasPainted(when = true): boolean {
  const [hasPainted, setHasPainted] = useState(false)
  useEffect(() => {
    if (when && !hasPainted) return afterPaint(() => setHasPainted(true))
  }, [when, hasPainted])
  return hasPainted
}
