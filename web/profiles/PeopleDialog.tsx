import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { OthersProfile } from './OthersProfile.tsx'
import { PeopleList } from './PeopleList.tsx'

interface PeopleDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Listeners with a public profile. Choosing one shows the profile in place of the list. */
export function PeopleDialog({ open, onOpenChange }: PeopleDialogProps) {
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [returnedFrom, setReturnedFrom] = useState<string | null>(null)

  function openChange(opened: boolean) {
    if (!opened) {
      setWanted('')
      setChosen(null)
      setReturnedFrom(null)
    }
    onOpenChange(opened)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={openChange}
      title={chosen === null ? 'Discover Music Explorers' : 'Profile'}
      width="36rem"
      tall
    >
      {chosen === null ? (
        <PeopleList
          wanted={wanted}
          onWanted={(text) => {
            setWanted(text)
            setReturnedFrom(null)
          }}
          onChoose={setChosen}
          returnedFrom={returnedFrom}
        />
      ) : (
        <>
          <BackButton
            onBack={() => {
              setReturnedFrom(chosen)
              setChosen(null)
            }}
          />
          <OthersProfile id={chosen} />
        </>
      )}
    </Dialog>
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
