import { achievementPage } from '../../contract/sharedPage.ts'
import { getSharedAchievement, NOT_FOUND_TEXTS } from '../../contract/sharing.ts'
import { DeadEnd } from '../ui/DeadEnd.tsx'
import { SharedContent } from './SharedContent.tsx'
import { SharedFrame } from './SharedFrame.tsx'
import { useSharedItem } from './useSharedItem.ts'

/** A shared achievement; public. */
export function SharedAchievementPage({ shareToken }: { shareToken: string | undefined }) {
  const sharedItem = useSharedItem(getSharedAchievement, shareToken)
  return (
    <SharedFrame
      sharedItem={sharedItem}
      loading="Loading achievement..."
      missing={<DeadEnd {...NOT_FOUND_TEXTS.achievement} />}
    >
      {(achievement) => <SharedContent {...achievementPage(achievement)} />}
    </SharedFrame>
  )
}
