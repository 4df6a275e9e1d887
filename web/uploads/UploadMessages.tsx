import { type ReactNode, useSyncExternalStore } from 'react'
import { CircleAlert } from '../ui/icons.tsx'
import { Info, WifiOff } from '../ui/laterIcons.ts'
import type { Uploader, UploadFile } from './uploadRules.ts'

/** Errors shown at a time (uploads-4). */
const MAX_ERRORS = 4

/** Errors and notices above the dashboard's footer. Uppy's own hide the reason behind a question mark. */
export function UploadMessages({ uploader }: { uploader: Uploader }) {
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
        {isOffline && <Message icon={<WifiOff className={errorIconClasses} />}>{NO_INTERNET}</Message>}
        {[...errors, ...others].map(({ type, message, details }) => (
          <Message
            key={message}
            icon={type === 'error' ? <CircleAlert className={errorIconClasses} /> : <Info />}
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
      className="flex max-w-full items-start gap-2 rounded-control border border-line-strong bg-raised px-3 py-2 shadow-high wrap-anywhere"
    >
      {icon}
      <span className="grid gap-0.5">
        <span className="font-semibold">{children}</span>
        {details && <span className="text-ink-2">{details}</span>}
      </span>
    </div>
  )
}

const errorIconClasses = 'size-5 text-danger'

/** Shown while the browser is offline (uploads-5); Uppy's own message times out. */
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

/** What the dialog is doing: the first of these that one of its files does (uploads-5). */
const STATUSES = ['uploading', 'preprocessing', 'postprocessing', 'error', 'waiting', 'complete'] as const

function overallStatus(files: readonly UploadFile[]) {
  const statuses = new Set(files.map(fileStatus))
  return STATUSES.find((status) => statuses.has(status))
}

function fileStatus({ error, progress }: UploadFile): (typeof STATUSES)[number] {
  if (error) return 'error'
  if (progress.preprocess) return 'preprocessing'
  if (progress.uploadStarted && !progress.uploadComplete) return 'uploading'
  if (progress.postprocess) return 'postprocessing'
  return progress.uploadComplete ? 'complete' : 'waiting'
}
