import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../contract/formatCount.ts'
import { getMyStats, type ListenerStats } from '../../contract/profiles.ts'
import { getStatsStory } from '../../contract/sharing.ts'
import { withBasePath } from '../api/paths.ts'
import { query } from '../api/query.ts'
import { HeadingButton } from '../ui/controls/HeadingButton.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Share2 } from '../ui/laterIcons.ts'
import { Figure, Figures } from '../ui/page/Figures.tsx'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { useDialog } from '../ui/screenParams.ts'
import { ShareOptions } from './ShareOptions.tsx'

/** Shares the own figures as text with the app's address; there is no page for them (sharing-8). */
export function ShareStatsButton() {
  const { open, onOpenChange } = useDialog('share-stats')
  return (
    <>
      <HeadingButton icon={Share2} onClick={() => onOpenChange(true)}>
        Share Stats
      </HeadingButton>
      <Dialog open={open} onOpenChange={onOpenChange} title="Share Stats">
        <StatsSharing />
      </Dialog>
    </>
  )
}

function StatsSharing() {
  const { data, isError, refetch } = useQuery(query(getMyStats))
  if (data) {
    return (
      <>
        <Figures>
          <Figure name="Bangers" tone="text-hot">
            {data.totalBangers.toLocaleString()}
          </Figure>
          <Figure name="Songs Rated">{data.totalRatings.toLocaleString()}</Figure>
        </Figures>
        <ShareOptions
          text={statsText(data)}
          link={location.origin + withBasePath('')}
          picture={withBasePath(getStatsStory.path)}
          copyContent="text"
        />
      </>
    )
  }
  if (isError) return <LoadFailure onRetry={refetch}>Your stats did not load.</LoadFailure>
  return <Loading className="">Loading your stats...</Loading>
}

/** The listener's figures as a sentence (sharing-8). */
export function statsText({ totalBangers, totalRatings, favoriteMicrogenre }: ListenerStats): string {
  const sentence = `I found ${formatCount(totalBangers, 'banger')} in ${formatCount(totalRatings, 'song')} on Banger or Bust.`
  return favoriteMicrogenre ? `${sentence} My favourite microgenre is ${favoriteMicrogenre}.` : sentence
}
