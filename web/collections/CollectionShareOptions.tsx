import { getCollectionStory, sharePath } from '../../contract/sharing.ts'
import { fillPath, withBasePath } from '../api/paths.ts'
import { ShareOptions } from '../sharing/ShareOptions.tsx'

/** Ways to share a collection that has a link. */
export function CollectionShareOptions({ name, shareToken }: { name: string; shareToken: string }) {
  return (
    <ShareOptions
      text={`‘${name}’, a collection on Banger or Bust.`}
      link={location.origin + withBasePath(sharePath('collection', shareToken))}
      picture={withBasePath(fillPath(getCollectionStory, { shareToken }))}
    />
  )
}
