import { useEffect } from 'react'
import { frameReachedByTab } from '../ui/focusOrigin.ts'
import { focusPage } from '../ui/focusPage.ts'
import { toast } from '../ui/toast.ts'

/**
 * A click into the video takes the keys along: the page takes them back as soon as the pointer is over it again
 * (screens-6). Who came into the video by Tab stays there.
 */
export function useFocusBack() {
  useEffect(() => {
    let told = false
    const takeBack = ({ target }: Event) => {
      const frame = document.activeElement
      if (!(frame instanceof HTMLIFrameElement) || target === frame || frameReachedByTab()) return
      focusPage()
      if (document.activeElement !== frame || told) return
      told = true
      toast({ title: 'The video has the keys', description: 'Click beside it to use them here again.' })
    }
    document.addEventListener('pointerover', takeBack)
    return () => document.removeEventListener('pointerover', takeBack)
  }, [])
}
