import { useEffect } from 'react'

/** The document's title while the page is shown, with the product's name behind it. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Banger or Bust`
  }, [title])
}
