import { useEffect } from 'react'

/** Sets the document's title, followed by the product's name. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Banger or Bust`
  }, [title])
}
