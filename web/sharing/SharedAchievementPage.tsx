import {
  getSharedAchievement,
  NOT_SHARED,
  type SharedAchievement,
  sharedWordsOf,
} from '../../contract/sharing.ts'
import { AchievementMedal } from '../achievements/AchievementMedal.tsx'
import { call } from '../api/call.ts'
import { ButtonTo } from '../ui/ButtonTo.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { useRoomColor } from '../ui/RoomColor.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { NotFoundNotice } from './NotFoundNotice.tsx'
import { Creator, SharedFrame, SharedTitle, Sleeve, Tag } from './SharedFrame.tsx'
import { useShared } from './useShared.ts'

/** A shared achievement; public. */
export function SharedAchievementPage({ shareToken }: { shareToken: string | undefined }) {
  const shared = useShared(read, shareToken)
  return (
    <SharedFrame
      shared={shared}
      loading="Loading achievement..."
      missing={<NotFoundNotice {...NOT_SHARED.achievement} />}
    >
      {(achievement) => <SharedOne {...achievement} />}
    </SharedFrame>
  )
}

const read = (shareToken: string, signal: AbortSignal) =>
  call(getSharedAchievement, { params: { shareToken } }, { signal })

function SharedOne({ type, metadata, createdAt, user, microgenre }: SharedAchievement) {
  const { name, text } = sharedWordsOf(type)
  usePageTitle(name)
  useRoomColor(microgenre?.color ?? null)
  return (
    <>
      <Sleeve
        drawing={<AchievementMedal type={type} className="size-50 wide:aspect-square wide:size-auto" />}
      >
        <Tag>Achievement Unlocked</Tag>
        <SharedTitle>{name}</SharedTitle>
        <p className="text-base text-ink-2">{text}</p>
        {microgenre && (
          <p
            data-genre=""
            style={{ '--genre': microgenre.color }}
            className="flex items-center gap-2.5 font-display text-lg font-semibold text-accent"
          >
            <span
              aria-hidden="true"
              data-testid="genre-dot"
              className="size-3 rounded-full"
              style={{ backgroundColor: microgenre.color }}
            />
            {microgenre.name}
          </p>
        )}
        <Creator user={user}>
          Unlocked <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        </Creator>
      </Sleeve>
      <Metadata metadata={metadata} />
      <div className="border-t border-line py-8 pb-16">
        <ButtonTo to="/" variant={microgenre ? 'accent' : 'main'} size="big">
          Start Your Journey
        </ButtonTo>
      </div>
    </>
  )
}

/** Every key that the server sends, as text (sharing-16). */
function Metadata({ metadata }: { metadata: SharedAchievement['metadata'] }) {
  const pairs = Object.entries(metadata)
  if (pairs.length === 0) return null
  return (
    <dl className="grid">
      {pairs.map(([key, value]) => (
        <div key={key} className="flex flex-wrap justify-between gap-x-6 border-t border-line py-3.5">
          <dt className="text-ink-2 wrap-anywhere">{key}</dt>
          <dd dir="auto" className="font-semibold wrap-anywhere">
            {String(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
