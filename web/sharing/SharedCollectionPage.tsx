import { NotFoundNotice } from './NotFoundNotice.tsx'

/** A collection that was shared by link. Reading it comes later, so no link leads anywhere yet. */
export function SharedCollectionPage(_: { shareToken: string | undefined }) {
  return (
    <NotFoundNotice
      title="Collection Not Found"
      text="This collection doesn't exist or is no longer available."
    />
  )
}
