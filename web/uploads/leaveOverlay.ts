import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import type { FileMeta, Uploader } from './uploadRules.ts'

/** Leaves what lies over the list of files: the picture's editor, a file's card, the camera. False when nothing does. */
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
