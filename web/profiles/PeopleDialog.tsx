import { useState } from 'react'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { BackButton } from '../ui/BackButton.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { closeDetail, openDialog, usePlace } from '../ui/place.ts'
import { OthersProfile } from './OthersProfile.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { PeopleList } from './PeopleList.tsx'

interface PeopleDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Listeners with a public profile. Choosing one shows the profile in place of the list. */
export function PeopleDialog({ open, onOpenChange }: PeopleDialogProps) {
  const { listener } = usePlace()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={listener === null ? 'Discover Music Explorers' : 'Profile'}
      width="36rem"
      tall
    >
      <Explorers listener={listener} />
    </Dialog>
  )
}

function Explorers({ listener }: { listener: string | null }) {
  const { user } = useCurrentUser()
  const [wanted, setWanted] = useState('')
  /** Whose profile was shown last, here or before Back. */
  const [last, setLast] = useState(listener)
  if (listener !== null && listener !== last) setLast(listener)
  if (listener === null) {
    return (
      <PeopleList
        wanted={wanted}
        onWanted={(text) => {
          setWanted(text)
          setLast(null)
        }}
        onChoose={(id) => openDialog('people', { listener: id })}
        returnedFrom={last}
      />
    )
  }
  return (
    <>
      <BackButton onBack={() => closeDetail('listener')}>All explorers</BackButton>
      {user?.id === listener ? <OwnProfile user={user} /> : <OthersProfile id={listener} />}
    </>
  )
}
