import { type ReactNode, useSyncExternalStore } from 'react'
import { CircleAlert } from '../ui/icons.ts'
import { Info, WifiOff } from '../ui/laterIcons.ts'
import type { Uploader } from './uploadRules.ts'
import { overallStatus } from './uploadStatus.ts'

/** Refusals shown at a time (uploads-4). */
const MOST_SHOWN = 4

/** Failures, above the dashboard's footer: Uppy's own messages hide the reason behind a question mark. */
export function UploadMessages({ uploader }: { uploader: Uploader }) {
  const { info, files } = useUploaderState(uploader)
  const offline = useOffline()
  const told = (info ?? []).filter(({ message }) => message !== NO_INTERNET)
  // Several files may be refused for one reason.
  const errors = [
    ...new Map(told.filter(({ type }) => type === 'error').map((error) => [error.message, error])).values(),
  ].slice(-MOST_SHOWN)
  const others = told.filter(({ type }) => type !== 'error').slice(-1)
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
        {offline && <Message icon={<WifiOff className={failed} />}>{NO_INTERNET}</Message>}
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
  return useSyncExternalStore(watchNetwork, () => !navigator.onLine)
}

function watchNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
