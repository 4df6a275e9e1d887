import AwsS3 from '@uppy/aws-s3'
import Uppy, { type Body } from '@uppy/core'
import Dashboard from '@uppy/dashboard'
import GoldenRetriever from '@uppy/golden-retriever'
import ImageEditor from '@uppy/image-editor'
import Webcam from '@uppy/webcam'
import { MAX_IMPORT_BYTES } from '../../contract/imports.ts'
import { getPageListenerId } from '../api/call.ts'
import { hasKeyboard } from '../ui/useMediaQuery.ts'
import { callFailure, UploadFailure } from './retryUpload.ts'
import { uploadsName } from './storedUploads.ts'
import { uploadOptions } from './uploadOptions.ts'
import type { FileMeta, Uploader, UploadFile, UploadTarget } from './uploadRules.ts'

/** Milliseconds that a message shows (uploads-4). */
const INFO_TIMEOUT = 5000

/**
 * Uppy with everything that the dialog offers (uploads-1), rendered into `container`. `onEnd` is called when an upload
 * has ended; failed files can be retried.
 */
export function createUploader(
  target: UploadTarget,
  container: HTMLElement,
  onEnd: (files: UploadFile[]) => void,
): Uploader {
  const isTouch = !hasKeyboard()
  const isPhoto = target.purpose === 'profile-photo'
  const uppy: Uploader = new Uppy<FileMeta, Body>({
    // What is stored for a reload is named after it.
    id: uploadsName(`${target.purpose}-${getPageListenerId()}`),
    restrictions: target.rules,
    infoTimeout: INFO_TIMEOUT,
    logger: silentLogger,
    locale: {
      pluralize: (n) => (n === 1 ? 0 : 1),
      strings: {
        youCanOnlyUploadFileTypes: `You can only upload: ${target.types}`,
        additionalRestrictionsFailed: '%{count} more could not be added',
      },
    },
  })
  uppy
    .use(Dashboard, {
      inline: true,
      target: container,
      width: '100%',
      height: '100%',
      // The page's own colours follow the colour scheme.
      theme: 'light',
      fileManagerSelectionType: isTouch ? 'files' : 'both',
      metaFields: [{ id: 'name', name: 'Name', placeholder: 'What the file is called' }],
      autoOpen: isPhoto ? 'imageEditor' : null,
      note: target.note,
      locale: dashboardTexts(isTouch && (isPhoto ? 'Choose a picture' : 'Choose files')),
      // UploadMessages shows messages, with their details.
      disableInformer: true,
      doneButtonHandler: null,
      proudlyDisplayPoweredByUppy: false,
    })
    .use(AwsS3, uploadOptions(target))
  if (isPhoto) addPictureTools(uppy, container)
  else uppy.use(GoldenRetriever, { indexedDB: storedFiles })
  const awaitEdit = awaitEdits(uppy)
  const prepare = async (file: UploadFile) => {
    await awaitEdit(file)
    await checkFile(uppy.getFile(file.id) ?? file)
  }
  uppy.addPreProcessor((ids) => processFiles(uppy, ids, 'preprocess', 'Checking the file...', prepare))
  uppy.addPostProcessor((ids) => processFiles(uppy, ids, 'postprocess', target.finishingText, target.finish))
  // Not the event 'complete', which Uppy omits when a single file is retried.
  uppy.addPostProcessor(async (ids) => onEnd(ids.flatMap((id) => uppy.getFile(id) ?? [])))
  return uppy
}

/** Options of IndexedDB that Uppy's types omit; its own limit for a file is 10 MB. */
const storedFiles: object = {
  maxFileSize: MAX_IMPORT_BYTES,
  maxTotalSize: MAX_IMPORT_BYTES,
}

/** A camera, and an editor that crops to a square. */
function addPictureTools(uppy: Uploader, container: HTMLElement): void {
  uppy
    .use(Webcam, {
      modes: ['picture'],
      showVideoSourceDropdown: true,
      onBeforeSnapshot: () => awaitFirstFrame(container),
    })
    .use(ImageEditor, {
      actions: { cropWidescreen: false, cropWidescreenVertical: false },
      cropperOptions: {
        initialAspectRatio: 1,
        viewMode: 1,
        // So that a PNG fits without compression (uploads-3): the browser writes four bytes for each pixel.
        croppedCanvasOptions: { maxWidth: 1024, maxHeight: 1024, imageSmoothingQuality: 'high' },
        // Browsers rotate pictures themselves, and the Content-Security-Policy blocks reading them again.
        checkOrientation: false,
      },
    })
}

/** Failures show on the page; the console is for unexpected ones. */
const silentLogger = { debug() {}, warn() {}, error() {} }

/** Processes every file without an error. A failing file gets its error and does not stop the others. */
async function processFiles(
  uppy: Uploader,
  ids: string[],
  stage: 'preprocess' | 'postprocess',
  message: string,
  processFile: (file: UploadFile) => Promise<void>,
): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      const file = uppy.getFile(id)
      if (!file || file.error || file.progress.complete) return
      uppy.emit(`${stage}-progress`, file, { mode: 'indeterminate', message })
      try {
        await processFile(file)
        // The start of the upload ends preprocessing, without a waiting state in between.
        if (stage === 'preprocess' && !file.progress.uploadStarted) return
        uppy.emit(`${stage}-complete`, uppy.getFile(id))
      } catch (error) {
        const current = uppy.getFile(id)
        if (!current) return
        uppy.setFileState(id, { progress: { ...current.progress, [stage]: undefined } })
        uppy.emit('upload-error', uppy.getFile(id), callFailure(error))
      }
    }),
  )
}

/** Resolves when the camera in `container` has its first frame, or is gone: before that a snapshot would be empty. */
async function awaitFirstFrame(container: HTMLElement): Promise<void> {
  const video = container.querySelector('video')
  while (video?.isConnected && video.videoWidth === 0)
    await new Promise((resolve) => requestAnimationFrame(resolve))
}

/** Fails early for a file that was moved, deleted or changed after it was chosen. */
async function checkFile({ data }: UploadFile): Promise<void> {
  if (!(data instanceof Blob)) return
  try {
    await data.slice(0, 1).arrayBuffer()
  } catch {
    throw new UploadFailure('It cannot be read any more. Please choose it again.', 400)
  }
}

/** Texts of the dashboard that differ from Uppy's: for a mouse and a keyboard, or for a finger. */
const dashboardTexts = (touchText: string | false) => ({
  strings: {
    dashboardTitle: 'Files',
    removeFile: 'Remove %{file}',
    ...(touchText
      ? {
          browseFiles: touchText,
          dropPasteFiles: '%{browseFiles}',
          dropPasteImportFiles: '%{browseFiles} or take one from:',
        }
      : {
          // Without a comma after a button, because a line could start with it.
          dropPasteBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders}',
          dropPasteImportBoth: 'Drop or paste files here, %{browseFiles} or %{browseFolders} or import from:',
        }),
  },
})

/**
 * Uploads an added picture when its editor, which opens by itself, is saved. Returns a function that waits until the
 * browser has encoded the cropped picture: Uppy closes the editor before.
 */
function awaitEdits(uppy: Uploader): (file: UploadFile) => Promise<void> {
  const pendingEdits = new Map<string, Promise<void>>()
  const editor = uppy.getPlugin<ImageEditor<FileMeta, Body>>('ImageEditor')
  const dashboard = uppy.getPlugin<Dashboard<FileMeta, Body>>('Dashboard')
  /** The picture whose editor opened by itself. */
  let autoOpenedId: string | undefined
  uppy.on('files-added', ([file]) => {
    autoOpenedId = file?.id
  })
  // Otherwise Uppy shows the file's card next.
  const leaveEditor = () => {
    autoOpenedId = undefined
    queueMicrotask(() => dashboard?.hideAllPanels())
  }
  // Uppy's types omit that there may be no file.
  uppy.on('file-editor:cancel', (file: UploadFile | undefined) => {
    if (file && file.id === autoOpenedId) leaveEditor()
  })
  if (editor) {
    const { save } = editor
    editor.save = () => {
      const { currentImage, cropperReady } = editor.getPluginState()
      // A picture that the browser cannot decode is sent as it is: the server's refusal says why.
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

/** Milliseconds. A browser that cannot encode a picture emits no event. */
const MAX_ENCODING_TIME = 10_000
