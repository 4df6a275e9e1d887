import { useCallback, useEffect, useId, useRef } from 'react'
import { dropToast, toast } from '../ui/toast.ts'
import type { Toast } from '../ui/toastQueue.ts'

/**
 * `toast` for a tool in a tab or on a page: its message leaves the screen with the tool, and an answer that arrives
 * afterwards shows none (diagnostics-23).
 */
export function useOwnToast(): (message: Toast) => void {
  const name = useId()
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      dropToast(name)
    }
  }, [name])
  return useCallback(
    (message) => {
      if (!isGone.current) toast({ ...message, name })
    },
    [name],
  )
}
