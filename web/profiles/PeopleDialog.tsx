import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { closeListener, openDialog, usePlace } from '../ui/place.ts'
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
      <BackButton onBack={closeListener} />
      {user?.id === listener ? <OwnProfile user={user} /> : <OthersProfile id={listener} />}
    </>
  )
}

function BackButton({ onBack }: { onBack: () => void }) {
  const button = useRef<HTMLDivElement>(null)
  // The focused row is gone.
  useEffect(() => button.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={button} className="-mt-2 -ml-3">
      <Button variant="bare" size="tight" onClick={onBack}>
        <ArrowLeft className="size-5" strokeWidth={1.75} aria-hidden="true" />
        All explorers
      </Button>
    </div>
  )
}
