import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import type ImageEditor from '@uppy/image-editor'
import type { FileMeta, Uploader, UploadFile } from './uploadRules.ts'

/** Milliseconds to wait: a browser that cannot encode a picture reports nothing. */
const MAX_ENCODING_TIME = 10_000

/**
 * The editor opens for each picture that is added, and 'Save' there uploads it. Uppy's editor closes before the browser
 * has encoded the cropped picture: returns a function that waits for it, so that the cropped one is sent.
 */
export function awaitEdits(uppy: Uploader): (file: UploadFile) => Promise<void> {
  const pendingEdits = new Map<string, Promise<void>>()
  const editor = uppy.getPlugin<ImageEditor<FileMeta, Body>>('ImageEditor')
  const dashboard = uppy.getPlugin<Dashboard<FileMeta, Body>>('Dashboard')
  /** The picture whose editor opened by itself. */
  let autoOpenedId: string | undefined
  uppy.on('files-added', ([file]) => {
    autoOpenedId = file?.id
  })
  // Uppy shows the file's card next, which nobody asked for.
  const leaveEditor = () => {
    autoOpenedId = undefined
    queueMicrotask(() => dashboard?.hideAllPanels())
  }
  // Uppy's types forget that there may be no file.
  uppy.on('file-editor:cancel', (file: UploadFile | undefined) => {
    if (file && file.id === autoOpenedId) leaveEditor()
  })
  if (editor) {
    const { save } = editor
    editor.save = () => {
      const { currentImage, cropperReady } = editor.getPluginState()
      // A picture that the browser cannot show goes as it is, and the server says what is wrong with it.
      if (currentImage && cropperReady) {
        pendingEdits.set(currentImage.id, waitForEdit(uppy, currentImage.id))
        save()
      }
      if (currentImage?.id === autoOpenedId) {
        leaveEditor()
        void uppy.upload()
      }
    }
  }
  return async ({ id }) => {
    await pendingEdits.get(id)
    pendingEdits.delete(id)
  }
}

function waitForEdit(uppy: Uploader, id: string): Promise<void> {
  return new Promise((resolve) => {
    const onEdited = (file: UploadFile) => {
      if (file.id === id) end()
    }
    const timer = setTimeout(end, MAX_ENCODING_TIME)
    function end() {
      clearTimeout(timer)
      uppy.off('file-editor:complete', onEdited)
      resolve()
    }
    uppy.on('file-editor:complete', onEdited)
  })
}
