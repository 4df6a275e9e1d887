import { useEffect } from 'react'
import { frameReachedByTab } from '../ui/focusOrigin.ts'
import { focusPage } from '../ui/focusPage.ts'
import { toast } from '../ui/toast.ts'

/**
 * After a click the video has the focus and gets all keys. The page takes the focus back when the pointer enters it
 * again (screens-6). A focus that came by Tab stays in the video.
 */
export function useFocusBack() {
  useEffect(() => {
    let hasWarned = false
    const reclaimFocus = ({ target }: Event) => {
      const frame = document.activeElement
      if (!(frame instanceof HTMLIFrameElement) || target === frame || frameReachedByTab()) return
      focusPage()
      if (document.activeElement !== frame || hasWarned) return
      hasWarned = true
      toast({
        title: 'The video has the keyboard focus',
        description: 'Click outside the video to use shortcuts again.',
      })
    }
    document.addEventListener('pointerover', reclaimFocus)
    return () => document.removeEventListener('pointerover', reclaimFocus)
  }, [])
}
