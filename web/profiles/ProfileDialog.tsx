import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { OthersProfile } from './OthersProfile.tsx'
import { OwnProfile } from './OwnProfile.tsx'

interface ProfileDialogProps {
  /** The listener's id; null for the own profile. */
  userId: string | null
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A listener's profile; the own one can be edited. */
export function ProfileDialog({ userId, open, onOpenChange }: ProfileDialogProps) {
  const { user } = useCurrentUser()
  const isOwn = userId === null || userId === user?.id
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Profile" width="32rem">
      {isOwn ? user && <OwnProfile user={user} /> : <OthersProfile id={userId} />}
    </Dialog>
  )
}
