import type { Uploader } from './uploadRules.ts'

/**
 * While the dialog is open, the browser does not open a file dropped beside the dashboard, and a pasted file is added
 * wherever the focus is, but not while typing. Returns a function that stops it.
 */
export function takeWholePage(uppy: Uploader, dashboard: HTMLElement): () => void {
  const isInside = (target: EventTarget | null) => target instanceof Node && dashboard.contains(target)

  function paste(event: ClipboardEvent) {
    const { activeElement } = document
    // Uppy listens there itself.
    if (isInside(activeElement) || activeElement?.matches('input, textarea')) return
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length > 0)
      uppy.addFiles(files.map((data) => ({ source: 'Dashboard', name: data.name, type: data.type, data })))
  }

  function keepPage(event: DragEvent) {
    if (isInside(event.target) || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }

  // Uppy listens on its dashboard and on the document, and would add a pasted file a second time.
  const pasteOnce = (event: ClipboardEvent) => event.stopPropagation()

  dashboard.addEventListener('paste', pasteOnce)
  document.addEventListener('paste', paste)
  document.addEventListener('dragover', keepPage)
  document.addEventListener('drop', keepPage)
  return () => {
    dashboard.removeEventListener('paste', pasteOnce)
    document.removeEventListener('paste', paste)
    document.removeEventListener('dragover', keepPage)
    document.removeEventListener('drop', keepPage)
  }
}
