import { useEffect } from 'react'

/**
 * Colours the room: the accent everywhere follows `color`, a CSS colour, from here on. It stands on the
 * root element so that dialogs and toasts, which live outside the page's tree, follow too. Null leaves the
 * room as it is; the colour stays when the caller goes, for the song goes on playing.
 */
export function useRoomColor(color: string | null): void {
  useEffect(() => {
    if (color === null) return
    const root = document.documentElement
    root.dataset.genre = ''
    root.style.setProperty('--genre', color)
  }, [color])
}
