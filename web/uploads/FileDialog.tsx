import { Suspense, useRef } from 'react'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { Loading } from '../ui/page/Loading.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import type { UploadPanelProps } from './UploadPanel.tsx'

/** Uppy and its styles, loaded with the first upload. */
const UploadPanel = lazyComponent(async () => (await import('./UploadPanel.tsx')).UploadPanel)

interface FileDialogProps extends OpenState, Omit<UploadPanelProps, 'onEscapeRef'> {
  title: string
}

/** The file dialog (uploads-1). Closing it discards unfinished uploads. */
export function FileDialog({ open, onOpenChange, title, ...panel }: FileDialogProps) {
  const onEscapeRef = useRef<() => boolean>(() => false)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      width="42rem"
      tall
      onEscape={() => onEscapeRef.current()}
    >
      {/* Fills the space that the dialog's header and margins leave. */}
      <div className="relative h-[clamp(19rem,100svh-var(--size-header-phone)-var(--below)-7.75rem,40rem)] wide:h-[clamp(19rem,100svh-var(--below)-12rem,30rem)]">
        <Suspense fallback={<Loading className="h-full justify-center">Loading...</Loading>}>
          <UploadPanel {...panel} onEscapeRef={onEscapeRef} />
        </Suspense>
      </div>
    </Dialog>
  )
}
