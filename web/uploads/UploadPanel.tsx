import './uploads.css'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { getUploadSettings } from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { createUploader } from './createUploader.ts'
import { leaveOverlay } from './leaveOverlay.ts'
import { nameParts } from './nameParts.ts'
import { takeWholePage } from './takeWholePage.ts'
import { UploadMessages } from './UploadMessages.tsx'
import type { Uploader, UploadFile, UploadRules, UploadTarget } from './uploadRules.ts'

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
  leavePanel: RefObject<() => boolean>
}

/** Uppy's dashboard in the product's colours, with our messages. */
export function UploadPanel({ rules, target, note, types, onComplete, leavePanel }: UploadPanelProps) {
  const place = useRef<HTMLDivElement>(null)
  const [uploader, setUploader] = useState<Uploader | null>(null)
  const tellEnd = useEffectEvent((files: UploadFile[]) => {
    const failed = files.filter(({ error }) => error)
    const successful = files.filter(({ error }) => !error)
    if (files.length > 0) onComplete?.({ successful, failed })
  })
  const start = useEffectEvent((element: HTMLElement) =>
    createUploader({ rules, target, note, types, place: element, onEnd: tellEnd }),
  )

  useEffect(() => {
    const element = place.current
    if (!element) return
    const uppy = start(element)
    const stops = [nameParts(element), takeWholePage(uppy, element)]
    leavePanel.current = () => leaveOverlay(uppy)
    void addProviders(uppy)
    setUploader(uppy)
    focusFirst(element)
    return () => {
      leavePanel.current = () => false
      for (const stop of stops) stop()
      uppy.destroy()
      setUploader(null)
    }
  }, [leavePanel])

  return (
    <>
      <div ref={place} className="uploads h-full" />
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
