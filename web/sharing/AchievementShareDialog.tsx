import { useQuery } from '@tanstack/react-query'
import { compactAchievementName } from '../../contract/achievements.ts'
import { isolateName } from '../../contract/isolateName.ts'
import type { Achievement } from '../../contract/shapes.ts'
import { shareAchievement } from '../../contract/sharing.ts'
import { AchievementMedal, achievementRarity } from '../achievements/AchievementMedal.tsx'
import { call } from '../api/call.ts'
import { fillPath } from '../api/paths.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { openDialog, useDialog, useScreenParams } from '../ui/screenParams.ts'
import { ShareLinkOptions } from './ShareOptions.tsx'

/** Shares the achievement in the URL, if it is one of these. Its link is created when the dialog opens, and never changes (sharing-7). */
export function AchievementShareDialog({ achievements }: { achievements: readonly Achievement[] }) {
  const { open, onOpenChange } = useDialog('share-achievement')
  const achievementId = useScreenParams().achievement
  const achievement = achievements.find(({ id }) => id === achievementId)
  return (
    <Dialog open={open && achievement !== undefined} onOpenChange={onOpenChange} title="Share Achievement">
      {achievement && <AchievementSharing achievement={achievement} />}
    </Dialog>
  )
}

function AchievementSharing({ achievement: { id, type, metadata } }: { achievement: Achievement }) {
  const { data, isError, refetch } = useQuery({
    queryKey: [fillPath(shareAchievement, { id })],
    queryFn: () => call(shareAchievement, { params: { id } }),
  })
  const name = compactAchievementName(type)
  const genre = metadata?.microgenreName ? String(metadata.microgenreName) : null
  const subtitle = [genre, achievementRarity(type)].filter(Boolean).join(' · ')
  return (
    <>
      <div className="flex items-center gap-4">
        <AchievementMedal type={type} className="size-14" />
        <div className="grid">
          <h3>{name}</h3>
          {subtitle && <p className="text-xs text-ink-2">{subtitle}</p>}
        </div>
      </div>
      {data ? (
        <ShareLinkOptions
          kind="achievement"
          shareToken={data.shareToken}
          text={`I unlocked ‘${name.replace(/!$/, '')}’${genre ? ` in ${isolateName(genre)}` : ''} on Banger or Bust.`}
        />
      ) : isError ? (
        <LoadFailure onRetry={refetch}>The link could not be made.</LoadFailure>
      ) : (
        <Loading className="">Making the link...</Loading>
      )}
    </>
  )
}

/** Shown from this many achievements on (community-8). */
const MIN_ACHIEVEMENTS = 3

/** Shares the newest achievement; they are sorted newest first (community-8). */
export function ShareAchievementsButton({ achievements }: { achievements: readonly Achievement[] }) {
  const [newest] = achievements
  if (!newest || achievements.length < MIN_ACHIEVEMENTS) return null
  return (
    <Button
      className="mt-4 w-full"
      onClick={() => openDialog('share-achievement', { achievement: newest.id })}
    >
      Share achievements
    </Button>
  )
}
