import { ButtonTo } from '../ui/ButtonTo.tsx'
import { PlainPage } from './PlainPage.tsx'

export function NotFoundPage() {
  return (
    <PlainPage title="Page Not Found">
      <p className="text-base text-ink-2">
        Nothing lives at this address. If it should, is the page in the router?
      </p>
      <ButtonTo to="/" variant="main" size="big">
        Go Home
      </ButtonTo>
    </PlainPage>
  )
}
