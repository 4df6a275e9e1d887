import { getMapStory } from '../../contract/sharing.ts'
import { withBasePath } from '../api/paths.ts'
import { HeadingButton } from '../ui/controls/HeadingButton.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Share2 } from '../ui/laterIcons.ts'
import { useDialog } from '../ui/screenParams.ts'
import { ShareOptions } from './ShareOptions.tsx'

/** Shares the own map of microgenres as a picture, with the app's address (discover-89). `total` is null until known. */
export function ShareMapButton({ explored, total }: { explored: number; total: number | null }) {
  const { open, onOpenChange } = useDialog('share-map')
  return (
    <>
      <HeadingButton icon={Share2} disabled={total === null} onClick={() => onOpenChange(true)}>
        Share
      </HeadingButton>
      <Dialog open={open && total !== null} onOpenChange={onOpenChange} title="Share your map">
        <ShareOptions
          text={`I have explored ${explored} of ${total} microgenres on Banger or Bust.`}
          link={location.origin + withBasePath('')}
          picture={withBasePath(getMapStory.path)}
          copyContent="text"
        />
      </Dialog>
    </>
  )
}
