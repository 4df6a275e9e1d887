import AwsS3 from '@uppy/aws-s3'
import Uppy, { type Body } from '@uppy/core'
import Dashboard from '@uppy/dashboard'
import GoldenRetriever from '@uppy/golden-retriever'
import ImageEditor from '@uppy/image-editor'
import Webcam from '@uppy/webcam'
import { abandonUnresumed } from './abandonUnresumed.ts'
import { awaitEdits } from './awaitEdits.ts'
import { checkFile } from './checkFile.ts'
import { dashboardTexts } from './dashboardTexts.ts'
import { failureOfCall } from './UploadFailure.ts'
import { untilPictured } from './untilPictured.ts'
import { uploadOptions } from './uploadParts.ts'
import type { FileMeta, Uploader, UploadFile, UploadRules, UploadTarget } from './uploadRules.ts'

interface UploaderOptions {
  /** Whose files, and what for: what was left after a crash comes back to the same dialog of the same listener. */
  id: string
  rules: UploadRules
  target: UploadTarget
  /** The element that the dashboard fills. */
  place: HTMLElement
  /** A line below the invitation to drop files. */
  note?: string
  /** An upload has come to its end; what failed can be tried again. */
  onEnd: (files: UploadFile[]) => void
}

/** Milliseconds that a message stays (spec §9). */
const INFO_TIMEOUT = 5000

/** Bytes of one file, and of all, that are kept to be restored after a crash. Uppy's own are 10 and 300 MiB. */
const kept = { maxFileSize: 1024 ** 3, maxTotalSize: 2 * 1024 ** 3 }

/** Uppy with everything that the dialog of spec §2 offers, drawn into `place`. */
export function createUploader({ id, rules, target, place, note, onEnd }: UploaderOptions): Uploader {
  const uppy: Uploader = new Uppy<FileMeta, Body>({
    id,
    restrictions: rules,
    infoTimeout: INFO_TIMEOUT,
    logger: silence,
  })
  uppy
    .use(Dashboard, {
      inline: true,
      target: place,
      width: '100%',
      height: '100%',
      // The colours are the product's own, which follow the scheme by themselves.
      theme: 'light',
      fileManagerSelectionType: 'both',
      metaFields: [
        { id: 'name', name: 'Name', placeholder: 'What the file is called' },
        { id: 'caption', name: 'Caption', placeholder: 'What it shows' },
      ],
      note: note ?? null,
      locale: dashboardTexts,
      // Messages are said by UploadMessages, with their details in words.
      disableInformer: true,
      doneButtonHandler: null,
      proudlyDisplayPoweredByUppy: false,
    })
    .use(Webcam, {
      modes: ['picture'],
      showVideoSourceDropdown: true,
      onBeforeSnapshot: () => untilPictured(place),
    })
    .use(ImageEditor, {
      actions: { cropWidescreen: false, cropWidescreenVertical: false },
      cropperOptions: {
        initialAspectRatio: 1,
        viewMode: 1,
        croppedCanvasOptions: {},
        // Browsers turn pictures by themselves; reading them again is what the security policy forbids.
        checkOrientation: false,
      },
    })
    .use(AwsS3, uploadOptions(target))
    .use(GoldenRetriever, { indexedDB: kept as { name?: string } })
  const awaitEdit = awaitEdits(uppy)
  const prepare = async (file: UploadFile) => {
    await awaitEdit(file)
    await checkFile(uppy.getFile(file.id) ?? file)
  }
  uppy.addPreProcessor((ids) => eachFile(uppy, ids, 'preprocess', 'Checking the file...', prepare))
  const { finish, finishing = 'Saving...' } = target
  if (finish) uppy.addPostProcessor((ids) => eachFile(uppy, ids, 'postprocess', finishing, finish))
  // Not its event 'complete', which Uppy leaves out when a single file is tried again.
  uppy.addPostProcessor(async (ids) => onEnd(ids.flatMap((id) => uppy.getFile(id) ?? [])))
  abandonUnresumed(uppy)
  return uppy
}

/** What goes wrong is said on the page; the console is for what nobody thought of. */
const silence = { debug() {}, warn() {}, error() {} }

/** Works on every file that is still all right; one that fails says why and holds up no other. */
async function eachFile(
  uppy: Uploader,
  ids: string[],
  stage: 'preprocess' | 'postprocess',
  message: string,
  work: (file: UploadFile) => Promise<void>,
): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      const file = uppy.getFile(id)
      if (!file || file.error || file.progress.complete) return
      uppy.emit(`${stage}-progress`, file, { mode: 'indeterminate', message })
      try {
        await work(file)
        // The beginning of the upload ends the preparation: no moment of waiting lies between.
        if (stage === 'preprocess' && !file.progress.uploadStarted) return
        uppy.emit(`${stage}-complete`, uppy.getFile(id))
      } catch (error) {
        const now = uppy.getFile(id)
        if (!now) return
        uppy.setFileState(id, { progress: { ...now.progress, [stage]: undefined } })
        uppy.emit('upload-error', uppy.getFile(id), failureOfCall(error))
      }
    }),
  )
}
