import { useEffect } from 'react'

/**
 * Sets the accent colour everywhere. It is set on the root element so that dialogs and toasts, which render outside
 * the page's tree, use it too. Null changes nothing; the colour stays after unmounting, because the song keeps
 * playing.
 */
export function useAccentColor(color: string | null): void {
  useEffect(() => {
    if (color === null) return
    const root = document.documentElement
    root.dataset.genre = ''
    root.style.setProperty('--genre', color)
  }, [color])
}
