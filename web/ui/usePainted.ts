import { useEffect, useState } from 'react'
import { afterPaint } from './afterPaint.ts'

/** False until the browser has painted what was rendered with `when`. For content that may come a moment later. */
export function usePainted(when = true): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    if (when && !painted) return afterPaint(() => setPainted(true))
  }, [when, painted])
  return painted
}
