import './uppy.css'
import './uploads.css'
import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { getUploadSettings } from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { CircleAlert } from '../ui/icons.tsx'
import { Info, WifiOff } from '../ui/laterIcons.ts'
import { createUploader } from './createUploader.ts'
import type { FileMeta, Uploader, UploadFile, UploadRules, UploadTarget } from './uploadRules.ts'
import { overallStatus } from './uploadStatus.ts'

export interface UploadPanelProps {
  rules: UploadRules
  target: UploadTarget
  /** A line below the drop area's text. */
  note?: string
  /** The types that `rules` allow, in people's words. */
  types: string
  /** Called when an upload has ended; `failed` files can be retried in the dialog. */
  onComplete?: (files: { successful: UploadFile[]; failed: UploadFile[] }) => void
  /** Set to a function for Escape that leaves the editor or the camera. It returns false when neither is open. */
  onEscapeRef: RefObject<() => boolean>
}

/** Uppy's dashboard in the product's colours, with our messages. */
export function UploadPanel({ rules, target, note, types, onComplete, onEscapeRef }: UploadPanelProps) {
  const container = useRef<HTMLDivElement>(null)
  const [uploader, setUploader] = useState<Uploader | null>(null)
  const reportEnd = useEffectEvent((files: UploadFile[]) => {
    const failed = files.filter(({ error }) => error)
    const successful = files.filter(({ error }) => !error)
    if (files.length > 0) onComplete?.({ successful, failed })
  })
  const start = useEffectEvent((element: HTMLElement) =>
    createUploader({ rules, target, note, types, container: element, onEnd: reportEnd }),
  )

  useEffect(() => {
    const element = container.current
    if (!element) return
    const uppy = start(element)
    const stops = [fixAccessibility(element), listenOnPage(uppy, element)]
    onEscapeRef.current = () => closeOverlay(uppy)
    void addProviders(uppy)
    setUploader(uppy)
    focusFirst(element)
    return () => {
      onEscapeRef.current = () => false
      for (const stop of stops) stop()
      uppy.destroy()
      setUploader(null)
    }
  }, [onEscapeRef])

  return (
    <>
      <div ref={container} className="uploads h-full" />
      {uploader && <UploadMessages uploader={uploader} />}
    </>
  )
}

/** Remote providers with keys on the server; their code is loaded on demand. */
async function addProviders(uppy: Uploader): Promise<void> {
  try {
    const { providers } = await call(getUploadSettings)
    if (providers.length === 0) return
    const { addRemoteSources } = await import('./remoteSources.ts')
    addRemoteSources(uppy, providers)
  } catch {
    // Without an answer only this device is offered.
  }
}

/** Focuses the file list, because that receives pastes. */
function focusFirst(element: HTMLElement): void {
  element.querySelector<HTMLElement>('[data-uppy-super-focusable]')?.focus({ preventScroll: true })
}

/** Leaves the picture editor, the file's card or the camera. Returns false when none is open. */
function closeOverlay(uppy: Uploader): boolean {
  const dashboard = uppy.getPlugin<Dashboard<FileMeta, Body>>('Dashboard')
  const { activeOverlayType, fileCardFor } = dashboard?.getPluginState() ?? {}
  if (!dashboard || !activeOverlayType) return false
  if (activeOverlayType === 'FileEditor') {
    const file = fileCardFor ? uppy.getFile(fileCardFor) : undefined
    if (file) uppy.emit('file-editor:cancel', file)
    dashboard.closeFileEditor()
  } else {
    dashboard.hideAllPanels()
  }
  return true
}

/** Corrects accessibility attributes of Uppy's dashboard after each render. Returns a function that stops it. */
function fixAccessibility(dashboard: HTMLElement): () => void {
  const applyFixes = () => {
    for (const { selector, set = {}, without = [] } of accessibilityFixes)
      for (const element of dashboard.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(set))
          if (element.getAttribute(name) !== value) element.setAttribute(name, value)
        for (const name of without) element.removeAttribute(name)
      }
  }
  const observer = new MutationObserver(applyFixes)
  observer.observe(dashboard, { childList: true, subtree: true })
  applyFixes()
  return () => observer.disconnect()
}

const accessibilityFixes: { selector: string; set?: Record<string, string>; without?: string[] }[] = [
  // A name needs a role.
  { selector: '.uppy-Dashboard', set: { role: 'group' } },
  // The list has its role only with more than one file.
  { selector: '.uppy-Dashboard-files', set: { role: 'list' } },
  // Buttons that open something are not tabs.
  { selector: '.uppy-Dashboard-AddFiles-list', set: { role: 'group', 'aria-label': 'Where from' } },
  {
    selector: '.uppy-DashboardTab-btn',
    set: { role: 'button' },
    without: ['aria-selected', 'aria-controls'],
  },
]

/**
 * While the dialog is open, the browser does not open a file dropped beside the dashboard, and a pasted file is added
 * wherever the focus is, but not while typing. Returns a function that stops it.
 */
function listenOnPage(uppy: Uploader, dashboard: HTMLElement): () => void {
  const isInside = (target: EventTarget | null) => target instanceof Node && dashboard.contains(target)

  function paste(event: ClipboardEvent) {
    const { activeElement } = document
    // Uppy listens there itself.
    if (isInside(activeElement) || activeElement?.matches('input, textarea')) return
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length > 0)
      uppy.addFiles(files.map((data) => ({ source: 'Dashboard', name: data.name, type: data.type, data })))
  }

  function preventOpening(event: DragEvent) {
    if (isInside(event.target) || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }

  // Uppy listens on its dashboard and on the document, and would add a pasted file a second time.
  const stopPaste = (event: ClipboardEvent) => event.stopPropagation()

  dashboard.addEventListener('paste', stopPaste)
  document.addEventListener('paste', paste)
  document.addEventListener('dragover', preventOpening)
  document.addEventListener('drop', preventOpening)
  return () => {
    dashboard.removeEventListener('paste', stopPaste)
    document.removeEventListener('paste', paste)
    document.removeEventListener('dragover', preventOpening)
    document.removeEventListener('drop', preventOpening)
  }
}

/** Refusals shown at a time (uploads-4). */
const MAX_ERRORS = 4

/** Failures, above the dashboard's footer: Uppy's own messages hide the reason behind a question mark. */
function UploadMessages({ uploader }: { uploader: Uploader }) {
  const { info, files } = useUploaderState(uploader)
  const isOffline = useOffline()
  const messages = (info ?? []).filter(({ message }) => message !== NO_INTERNET)
  // Several files may be refused for one reason.
  const errors = [
    ...new Map(
      messages.filter(({ type }) => type === 'error').map((error) => [error.message, error]),
    ).values(),
  ].slice(-MAX_ERRORS)
  const others = messages.filter(({ type }) => type !== 'error').slice(-1)
  const status = overallStatus(Object.values(files))
  return (
    <>
      <p role="status" aria-label="Upload status" className="sr-only">
        {status}
      </p>
      <section
        aria-label="Messages"
        className="pointer-events-none absolute inset-x-3 bottom-18 grid justify-items-center gap-1.5"
      >
        {isOffline && <Message icon={<WifiOff className={failed} />}>{NO_INTERNET}</Message>}
        {[...errors, ...others].map(({ type, message, details }) => (
          <Message
            key={message}
            icon={type === 'error' ? <CircleAlert className={failed} /> : <Info />}
            details={typeof details === 'string' ? details : undefined}
          >
            {message}
          </Message>
        ))}
      </section>
    </>
  )
}

function Message({ icon, details, children }: { icon: ReactNode; details?: string; children: string }) {
  return (
    <div
      role="alert"
      className="flex max-w-full items-start gap-2.5 rounded-control border border-line-strong bg-raised px-3.5 py-2 shadow-high wrap-anywhere"
    >
      {icon}
      <span className="grid gap-0.5">
        <span className="font-semibold">{children}</span>
        {details && <span className="text-ink-2">{details}</span>}
      </span>
    </div>
  )
}

const failed = 'size-5 text-danger'

/** Stays as long as it is true (uploads-5); Uppy's own message disappears. */
const NO_INTERNET = 'No Internet connection'

function useUploaderState(uploader: Uploader) {
  return useSyncExternalStore(
    (listener) => uploader.store.subscribe(listener),
    () => uploader.getState(),
  )
}

function useOffline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
}

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
