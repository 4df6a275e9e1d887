import { type ComponentType, createElement, lazy, useState } from 'react'

interface LazyPage<Props extends object> {
  (props: Props): React.ReactNode
  /** Fetches the code ahead; whoever fails here is told when the page is shown. */
  preload(): Promise<void>
}

/**
 * A component whose code comes when it is shown, as with `lazy`, or is fetched ahead and then shown at once.
 * Suspended, even for a moment, React holds the page back for 300 ms, so that nothing flickers.
 */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let loaded: ComponentType<Props> | undefined
  const fetchPage = async () => {
    loaded = await load()
    return { default: loaded }
  }
  const Later = lazy(fetchPage) as unknown as ComponentType<Props>
  const Page = (props: Props) => {
    // Kept for as long as it is shown: another component would begin anew.
    const [Shown] = useState(() => loaded ?? Later)
    return createElement(Shown, props)
  }
  const preload = () =>
    fetchPage().then(
      () => {},
      () => {},
    )
  return Object.assign(Page, { preload })
}
