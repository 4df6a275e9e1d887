import {
  Component,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { LoadFailure } from './LoadFailure.tsx'
import { toast } from './toast.ts'

interface LazyPart<Props extends object> {
  (props: Props): ReactNode
  /** Preloads the code. A failure shows when the part is rendered. */
  preload(): Promise<void>
}

/** Milliseconds before code that failed to load is requested again. */
const SECOND_TRY = 1000

/**
 * A component whose code comes when it is shown, as with `lazy`, or is fetched ahead and then shown at once.
 * Suspended, even for a moment, React holds a page back for 300 ms, so that nothing flickers.
 *
 * Code that does not arrive, for want of a connection or because the server has a newer version, is missing in its
 * place alone: a dialog stays shut and says why, anything else can be tried again. What plays goes on.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  const fetchPart = async () => {
    const part = await load().catch(() =>
      new Promise((resolve) => setTimeout(resolve, SECOND_TRY)).then(load),
    )
    loaded = part
    return { default: part }
  }
  const makeLater = () =>
    lazy(() =>
      fetchPart().catch((error: unknown) => {
        throw new MissingPart('Code did not arrive', { cause: error })
      }),
    ) as unknown as ComponentType<Props>
  let Later = makeLater()

  const Part = (props: Props) => {
    // Memoised while it is shown: another component type would remount.
    const [Shown, show] = useState(() => loaded ?? Later)
    const tryAgain = () => {
      Later = makeLater()
      show(() => loaded ?? Later)
    }
    return (
      <PartBoundary dialog={isDialog(props) ? props : null} onRetry={tryAgain}>
        {createElement(Shown, props)}
      </PartBoundary>
    )
  }
  const preload = async () => {
    if (!loaded) await fetchPart().catch(() => {})
  }
  return Object.assign(Part, { preload })
}

class MissingPart extends Error {}

interface DialogState {
  open: boolean
  /** Not given by a dialog that opens by itself: it simply stays closed. */
  onOpenChange?: (open: boolean) => void
}

function isDialog(props: object): props is DialogState {
  return 'open' in props
}

interface BoundaryProps {
  dialog: DialogState | null
  onRetry: () => void
  children: ReactNode
}

class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!(error instanceof MissingPart)) throw error
    const retry = () => {
      this.setState({ error: null })
      this.props.onRetry()
    }
    const { dialog } = this.props
    return dialog ? (
      <ShutDialog dialog={dialog} onRetry={retry} />
    ) : (
      <LoadFailure onRetry={retry}>{`This part ${WHY}`}</LoadFailure>
    )
  }
}

const WHY = 'could not be loaded. Check your connection, or load the page again.'

/** A dialog whose code is missing: shows a toast, closes, and tries again when it is next opened. */
function ShutDialog({ dialog, onRetry }: { dialog: DialogState; onRetry: () => void }) {
  const [told, setTold] = useState(false)
  useEffect(() => {
    if (!dialog.open || !dialog.onOpenChange) return
    if (told) return onRetry()
    setTold(true)
    dialog.onOpenChange(false)
    toast({ title: 'Error', description: `This dialog ${WHY}`, tone: 'error' })
  }, [dialog, told, onRetry])
  return null
}
