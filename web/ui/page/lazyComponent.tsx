import {
  Component,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react'
import { toast } from '../toast.ts'
import { LoadFailure } from './Loading.tsx'

export interface LazyComponent<Props extends object> {
  (props: Props): ReactNode
  /** Preloads the code. A failure shows when the part is rendered. */
  preload(): Promise<void>
}

/** Shown instead of a part whose code did not load. */
type RenderFailure<Props> = (props: Props, onRetry: () => void) => ReactNode

/** Milliseconds before code that failed to load is requested again. */
const RETRY_DELAY = 1000

/**
 * A component whose code loads when it is rendered, as with `lazy`, or is preloaded and then rendered at once. When
 * it suspends, even briefly, React delays the page by 300 ms to avoid flicker.
 *
 * Code that does not load, because there is no connection or the server has a newer version, is missing only in its
 * place, and can be retried. Playback continues. For dialogs, see `lazyDialog`.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  renderFailure?: RenderFailure<Props>,
): LazyComponent<Props> {
  const loadWithStyles = async () => (await Promise.all([load(), import('../allUtilities.css')]))[0]
  return lazyFirstPage(loadWithStyles, renderFailure)
}

/** The same for a page whose utilities are in app/style.css. */
export function lazyFirstPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  renderFailure: RenderFailure<Props> = renderLoadFailure,
): LazyComponent<Props> {
  let loadedComponent: ComponentType<Props> | undefined
  const fetchComponent = async () => {
    const component = await load().catch(() =>
      new Promise((resolve) => setTimeout(resolve, RETRY_DELAY)).then(load),
    )
    loadedComponent = component
    return { default: component }
  }
  const createLazy = () =>
    lazy(() =>
      fetchComponent().catch((error: unknown) => {
        throw new CodeLoadError('Code did not arrive', { cause: error })
      }),
    ) as unknown as ComponentType<Props>
  let Lazy = createLazy()

  const Wrapper = (props: Props) => {
    // Memoised while it is shown: another component type would remount.
    const [Current, setCurrent] = useState(() => loadedComponent ?? Lazy)
    const retry = () => {
      Lazy = createLazy()
      setCurrent(() => loadedComponent ?? Lazy)
    }
    return (
      <CodeErrorBoundary renderFailure={(onRetry) => renderFailure(props, onRetry)} onRetry={retry}>
        {createElement(Current, props)}
      </CodeErrorBoundary>
    )
  }
  const preload = async () => {
    if (!loadedComponent) await fetchComponent().catch(() => {})
  }
  return Object.assign(Wrapper, { preload })
}

class CodeLoadError extends Error {}

interface BoundaryProps {
  renderFailure: (onRetry: () => void) => ReactNode
  onRetry: () => void
  children: ReactNode
}

class CodeErrorBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  /** What is rendered anew, such as a dialog that opens again, loads its code again. */
  override componentWillUnmount() {
    if (this.state.error !== null) this.props.onRetry()
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!(error instanceof CodeLoadError)) throw error
    return this.props.renderFailure(() => {
      this.setState({ error: null })
      this.props.onRetry()
    })
  }
}

/** Why the code is missing, and what to do. */
export const CODE_FAILURE = 'could not be loaded. Check your connection, or load the page again.'

const renderLoadFailure: RenderFailure<object> = (_, onRetry) => (
  <LoadFailure onRetry={onRetry}>{`This part ${CODE_FAILURE}`}</LoadFailure>
)

interface DialogState {
  open: boolean
  /** Missing for a dialog that opens by itself: without its code it stays closed. */
  onOpenChange?: (open: boolean) => void
}

/** A dialog whose code loads when it first opens. It stays mounted afterwards, so that it can close by itself. */
export function lazyDialog<Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  const LazyContent = lazyComponent(load, (props: Props, onRetry) => (
    <FailedDialog dialog={props} onRetry={onRetry} />
  ))
  function LazyDialog(props: Props): ReactNode {
    const [hasOpened, setHasOpened] = useState(props.open)
    if (props.open && !hasOpened) setHasOpened(true)
    return (
      hasOpened && (
        <Suspense>
          <LazyContent {...props} />
        </Suspense>
      )
    )
  }
  return Object.assign(LazyDialog, { preload: LazyContent.preload })
}

/** When its code does not load, a dialog shows a toast and closes. Opening it again retries. */
function FailedDialog({ dialog, onRetry }: { dialog: DialogState; onRetry: () => void }) {
  const [step, setStep] = useState<'missing' | 'closing' | 'closed'>('missing')
  // It closes a moment later, when the browser has gone back.
  if (step === 'closing' && !dialog.open) setStep('closed')
  useEffect(() => {
    if (!dialog.open || !dialog.onOpenChange || step === 'closing') return
    if (step === 'closed') return onRetry()
    setStep('closing')
    dialog.onOpenChange(false)
    toast.error(`This dialog ${CODE_FAILURE}`)
  }, [dialog, step, onRetry])
  return null
}
