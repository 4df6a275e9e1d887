import type { Body } from '@uppy/core'
import type ImageEditor from '@uppy/image-editor'
import type { FileMeta, Uploader, UploadFile } from './uploadRules.ts'

/** Milliseconds to wait: a browser that cannot encode a picture reports nothing. */
const PATIENCE = 10_000

/**
 * Uppy's editor closes before the browser has encoded the new picture. Returns a function that waits for it, so
 * that the edited picture is uploaded.
 */
export function awaitEdits(uppy: Uploader): (file: UploadFile) => Promise<void> {
  const edits = new Map<string, Promise<void>>()
  const editor = uppy.getPlugin<ImageEditor<FileMeta, Body>>('ImageEditor')
  if (editor) {
    const { save } = editor
    editor.save = () => {
      const { currentImage } = editor.getPluginState()
      // Without a cropper nothing was edited.
      if (currentImage && editor.cropper) edits.set(currentImage.id, untilWritten(uppy, currentImage.id))
      save()
    }
  }
  return async ({ id }) => {
    await edits.get(id)
    edits.delete(id)
  }
}

function untilWritten(uppy: Uploader, id: string): Promise<void> {
  return new Promise((resolve) => {
    const written = (file: UploadFile) => {
      if (file.id === id) end()
    }
    const timer = setTimeout(end, PATIENCE)
    function end() {
      clearTimeout(timer)
      uppy.off('file-editor:complete', written)
      resolve()
    }
    uppy.on('file-editor:complete', written)
  })
}
