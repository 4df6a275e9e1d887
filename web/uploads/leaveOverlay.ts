import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import type { FileMeta, Uploader } from './uploadRules.ts'

/** Leaves the picture editor, the file's card or the camera. Returns false when none is open. */
export function leaveOverlay(uppy: Uploader): boolean {
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
