import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { logout } from '../../contract/auth.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { addressOf } from '../api/address.ts'
import { query } from '../api/query.ts'
import { refreshCurrentUser } from '../auth/currentUser.ts'
import { buttonLook } from '../ui/Button.tsx'
import { ButtonTo } from '../ui/ButtonTo.tsx'
import { ChangePhoto } from './ChangePhoto.tsx'
import { ProfileForm, type ProfileFormProps } from './ProfileForm.tsx'
import { type Lists, ProfileView } from './ProfileView.tsx'

export function OwnProfile({ user, draft, onDraft, ...lists }: ProfileFormProps & Lists) {
  const stats = useQuery(query(getMyStats))
  const [isChanging, setChanging] = useState(false)
  // Follower counts change meanwhile.
  useEffect(() => {
    void refreshCurrentUser()
  }, [])
  return (
    <ProfileView
      profile={user}
      stats={stats}
      action={<ChangePhoto user={user} open={isChanging} onOpenChange={setChanging} />}
      {...lists}
    >
      <ProfileForm user={user} draft={draft} onDraft={onDraft} />
      <div className="flex flex-wrap gap-2">
        <ButtonTo to="/profile">Settings, sign-ins and data</ButtonTo>
        {/* Elsewhere it is in the header. */}
        <a href={addressOf(logout.path)} className={buttonLook({ className: 'wide:hidden' })}>
          Logout
        </a>
      </div>
    </ProfileView>
  )
}
