import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type CurrentUser, logout } from '../../contract/auth.ts'
import { getMyStats } from '../../contract/profiles.ts'
import { query } from '../api/query.ts'
import { refreshCurrentUser } from '../auth/currentUser.ts'
import { buttonLook } from '../ui/Button.tsx'
import { ChangePhoto } from './ChangePhoto.tsx'
import { MusicStats } from './MusicStats.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { ProfileHeading } from './ProfileHeading.tsx'

export function OwnProfile({ user }: { user: CurrentUser }) {
  const stats = useQuery(query(getMyStats))
  const [isChanging, setChanging] = useState(false)
  // Follower counts change meanwhile.
  useEffect(() => {
    void refreshCurrentUser()
  }, [])
  return (
    <>
      <ProfileHeading profile={user}>
        <ChangePhoto user={user} open={isChanging} onOpenChange={setChanging} />
      </ProfileHeading>
      <MusicStats stats={stats} />
      <ProfileForm user={user} />
      {/* Elsewhere it is in the header. */}
      <a href={logout.path} className={buttonLook({ className: 'justify-self-start wide:hidden' })}>
        Logout
      </a>
    </>
  )
}
