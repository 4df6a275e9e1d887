import { ArrowLeft } from 'lucide-react'
import { Button } from './Button.tsx'
import { useFocusOnMount } from './useFocusOnMount.ts'

/** Leads from one of a list back to the list. It takes the focus from the row that was pressed. */
export function BackButton({ children, onBack }: { children: string; onBack: () => void }) {
  const button = useFocusOnMount<HTMLButtonElement>()
  return (
    <Button
      ref={button}
      variant="bare"
      size="tight"
      className="-mt-2 -ml-3 justify-self-start"
      onClick={onBack}
    >
      <ArrowLeft className="size-5" strokeWidth={1.75} aria-hidden="true" />
      {children}
    </Button>
  )
}
