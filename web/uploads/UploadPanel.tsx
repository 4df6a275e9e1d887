import './uppy.css'
import './uploads.css'
import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { getUploadSettings } from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { withBasePath } from '../api/paths.ts'
import { createUploader } from './createUploader.ts'
import { UploadMessages } from './UploadMessages.tsx'
import type { FileMeta, Uploader, UploadFile, UploadTarget } from './uploadRules.ts'

export interface UploadPanelProps {
  target: UploadTarget
  /** Called when an upload has ended; the `failed` files can be retried in the dialog. */
  onComplete: (failed: UploadFile[]) => void
  /** The panel sets what Escape does first: leave the editor or the camera. Returns false when neither is open. */
  onEscapeRef: RefObject<() => boolean>
}

/** Uppy's dashboard in the product's colours, with our messages. */
export function UploadPanel({ target, onComplete, onEscapeRef }: UploadPanelProps) {
  const container = useRef<HTMLDivElement>(null)
  const [uploader, setUploader] = useState<Uploader | null>(null)
  const reportEnd = useEffectEvent((files: UploadFile[]) => {
    if (files.length > 0) onComplete(files.filter(({ error }) => error))
  })
  const start = useEffectEvent((element: HTMLElement) => {
    const uppy = createUploader(target, element, reportEnd)
    if (target.purpose === 'profile-photo') void addProviders(uppy)
    return uppy
  })

  useEffect(() => {
    const element = container.current
    if (!element) return
    const uppy = start(element)
    const disconnectors = [fixAccessibility(element), listenOnPage(uppy, element)]
    onEscapeRef.current = () => closeOverlay(uppy)
    setUploader(uppy)
    focusFirst(element)
    return () => {
      onEscapeRef.current = () => false
      for (const disconnect of disconnectors) disconnect()
      uppy.destroy()
      setUploader(null)
    }
  }, [onEscapeRef])

  return (
    <>
      <div ref={container} className="uploads h-full *:h-full [&_.uppy-Dashboard]:h-full" />
      {uploader && <UploadMessages uploader={uploader} />}
    </>
  )
}

/** Uppy's names of the remote providers (uploads-2). */
const remoteSources = {
  box: 'Box',
  dropbox: 'Dropbox',
  drive: 'GoogleDrive',
  facebook: 'Facebook',
  unsplash: 'Unsplash',
} as const

/** Adds the remote providers that have keys on the server, through its Companion. Their code is loaded on demand. */
async function addProviders(uppy: Uploader): Promise<void> {
  try {
    const { providers } = await call(getUploadSettings)
    if (providers.length === 0) return
    const { default: RemoteSources } = await import('@uppy/remote-sources')
    const tokens = new Map<string, string>()
    uppy.use(RemoteSources, {
      // Uppy would store tokens in the browser, where the next person to use it has them. They end with the dialog.
      storage: {
        getItem: async (name) => tokens.get(name) ?? null,
        setItem: async (name, token) => void tokens.set(name, token),
        removeItem: async (name) => void tokens.delete(name),
      },
      companionUrl: `${location.origin}${withBasePath('/companion')}`,
      sources: providers.map((provider) => remoteSources[provider]),
    })
  } catch {
    // Without a response only this device is offered.
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
 * Adds files that are pasted anywhere on the page but into a field, and keeps the browser from opening a file that is
 * dropped beside the dashboard. Returns a function that stops it.
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
