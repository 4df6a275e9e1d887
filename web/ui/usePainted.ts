import { useEffect, useState } from 'react'

/** False until the browser has painted what was rendered with `when`. For content that may come a moment later. */
export function usePainted(when = true): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    if (!when || painted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [when, painted])
  return painted
}
