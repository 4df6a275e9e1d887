import { Camera } from 'lucide-react'
import { useState } from 'react'
import type { CurrentUser } from '../../contract/auth.ts'
import { PHOTO_MAX_BYTES, PHOTO_TYPES, requestPhotoUpload, setPhoto } from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { keepCurrentUser } from '../auth/currentUser.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { FileDialog } from '../uploads/FileDialog.tsx'
import type { UploadFile, UploadRules, UploadTarget } from '../uploads/uploadRules.ts'

/** The rules for a photo (uploads-3). */
const rules: UploadRules = {
  maxNumberOfFiles: 1,
  maxFileSize: PHOTO_MAX_BYTES,
  allowedFileTypes: [...PHOTO_TYPES],
}

/** Requests an address, sends the bytes, and updates the profile (uploads-11). */
const profilePhoto: UploadTarget = {
  async sign({ meta, type, size }) {
    const { uploadURL, method, headers } = await call(requestPhotoUpload, {
      body: { filename: meta.name, type, ...(size !== null && { size }) },
    })
    return { url: uploadURL, method, headers }
  },
  async finish({ uploadURL = '' }) {
    keepCurrentUser(await call(setPhoto, { body: { photoURL: uploadURL } }))
  },
  finishing: 'Saving your photo...',
}

/** Opens the file dialog for a new photo. Header, dialog and profile show it once saved. */
export function ChangePhoto({ user }: { user: CurrentUser }) {
  const [open, setOpen] = useState(false)

  function tell({ failed }: { failed: UploadFile[] }) {
    if (failed.length > 0) {
      toast({
        title: 'Error',
        description: 'Failed to update profile photo. Please try again.',
        tone: 'error',
      })
      return
    }
    setOpen(false)
    toast({ title: 'Profile Photo Updated', description: 'Your new photo is in place.', tone: 'success' })
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Camera className="size-5" strokeWidth={1.75} aria-hidden="true" />
        Change photo
      </Button>
      <FileDialog
        open={open}
        onOpenChange={setOpen}
        title="Profile photo"
        id={`profile-photo-${user.id}`}
        rules={rules}
        target={profilePhoto}
        note="PNG, JPEG, WebP or GIF, up to 5 MB"
        onComplete={tell}
      />
    </>
  )
}
