import { ButtonTo } from '../ui/ButtonTo.tsx'
import { PlainPage } from './PlainPage.tsx'

export function NotFoundPage() {
  return (
    <PlainPage title="Page Not Found">
      <p className="text-base text-ink-2">
        There is no page at this address. If there should be one, check that the router has it.
      </p>
      <ButtonTo to="/" variant="main" size="big">
        Go Home
      </ButtonTo>
    </PlainPage>
  )
}
