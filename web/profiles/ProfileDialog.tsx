import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { OthersProfile } from './OthersProfile.tsx'
import { OwnProfile } from './OwnProfile.tsx'

interface ProfileDialogProps {
  /** Whose; null for the own one. */
  userId: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A listener as others see one; the own profile can be changed here. */
export function ProfileDialog({ userId, open, onOpenChange }: ProfileDialogProps) {
  const { user } = useCurrentUser()
  const isOwn = userId === null || userId === user?.id
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Profile" width="32rem">
      {isOwn ? user && <OwnProfile user={user} /> : <OthersProfile id={userId} />}
    </Dialog>
  )
}
