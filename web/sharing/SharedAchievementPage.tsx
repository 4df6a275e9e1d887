import { NotFoundNotice } from './NotFoundNotice.tsx'

/** An achievement that was shared by link. Reading it comes later, so no link leads anywhere yet. */
export function SharedAchievementPage(_: { shareToken: string | undefined }) {
  return (
    <NotFoundNotice
      title="Achievement Not Found"
      text="This achievement doesn't exist or is no longer available."
    />
  )
}
