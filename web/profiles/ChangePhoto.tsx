import type { CurrentUser } from '../../contract/auth.ts'
import {
  MAX_PHOTO_BYTES,
  PHOTO_TYPES,
  removePhoto,
  requestPhotoUpload,
  setPhoto,
} from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { setCurrentUser } from '../auth/currentUser.ts'
import { Button } from '../ui/controls/Button.tsx'
import type { OpenState } from '../ui/dialogs/Dialog.tsx'
import { Camera, Trash2 } from '../ui/laterIcons.ts'
import { toast } from '../ui/toast.ts'
import { FileDialog } from '../uploads/FileDialog.tsx'
import type { UploadFile, UploadTarget } from '../uploads/uploadRules.ts'

const PHOTO_TYPE_NAMES = 'PNG, JPEG, WebP or GIF'

/** Requests an upload URL, uploads the file, then updates the profile (uploads-11). */
const photoTarget: UploadTarget = {
  purpose: 'profile-photo',
  // uploads-3
  rules: { maxNumberOfFiles: 1, maxFileSize: MAX_PHOTO_BYTES, allowedFileTypes: [...PHOTO_TYPES] },
  types: PHOTO_TYPE_NAMES,
  note: `${PHOTO_TYPE_NAMES}, up to 5 MB`,
  async sign({ meta, type, size }) {
    const { uploadURL, method, headers } = await call(requestPhotoUpload, {
      body: { filename: meta.name, type, ...(size !== null && { size }) },
    })
    return { url: uploadURL, method, headers }
  },
  async finish({ uploadURL = '' }) {
    setCurrentUser(await call(setPhoto, { body: { photoURL: uploadURL } }))
  },
  finishingText: 'Saving your photo...',
}

interface ChangePhotoProps extends OpenState {
  user: CurrentUser
}

/** Opens the file dialog for a new photo, or removes the photo. Header, dialog and profile show it once saved. */
export function ChangePhoto({ user, open, onOpenChange }: ChangePhotoProps) {
  function handleComplete(failed: UploadFile[]) {
    if (failed.length > 0) return toastPhotoFailure()
    onOpenChange(false)
    toastPhotoUpdate('Your new photo is in place.')
  }

  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => onOpenChange(true)}>
        <Camera />
        Change photo
      </Button>
      {user.profileImageUrl !== null && <RemovePhoto />}
      <FileDialog
        open={open}
        onOpenChange={onOpenChange}
        title="Profile photo"
        target={photoTarget}
        onComplete={handleComplete}
      />
    </div>
  )
}

function RemovePhoto() {
  const removing = useMutation({
    mutationFn: () => call(removePhoto),
    onSuccess(user) {
      setCurrentUser(user)
      toastPhotoUpdate('Your photo is removed.')
    },
    onError: toastPhotoFailure,
  })
  return (
    <Button
      size="square"
      aria-label="Remove photo"
      title="Remove photo"
      pending={removing.isPending}
      onClick={() => removing.mutate()}
    >
      <Trash2 />
    </Button>
  )
}

const toastPhotoUpdate = (description: string) =>
  toast({ title: 'Profile Photo Updated', description, tone: 'success' })

const toastPhotoFailure = () => toast.error('Failed to update profile photo. Please try again.')
