import { DeadEnd } from '../ui/DeadEnd.tsx'

export function NotFoundPage() {
  return (
    <DeadEnd
      title="Page Not Found"
      text="There is no page at this address. If there should be one, check that the router has it."
    />
  )
}
