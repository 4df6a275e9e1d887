import { useReducer } from 'react'
import { coverSizes } from '../../../contract/covers.ts'
import { withBasePath } from '../../api/paths.ts'
import {
  findUsableArt,
  isLetterboxed,
  isMissingThumbnail,
  markArtFailed,
  markArtMissing,
} from './artAddress.ts'
import { Cover } from './Cover.tsx'

interface AlbumArtProps {
  title: string
  art: string | null
  /** The colour of the song's microgenre, for the drawn cover. */
  color: string
  className?: string
  loading?: 'eager' | 'lazy'
}

/**
 * A song's art as a square: a picture, a cover in the size of its place, a thumbnail without its bars, or its drawn
 * cover. A picture that fails is followed by the next one, here and wherever the song shows next (playback-18,
 * playback-63). Decorative, because the title is beside it.
 */
export function AlbumArt({ title, art, color, className = '', loading = 'lazy' }: AlbumArtProps) {
  const [, showNext] = useReducer((count: number) => count + 1, 0)
  const address = findUsableArt(art)
  if (!address) return <Cover title={title} color={color} className={className} />
  const letterboxed = isLetterboxed(address)
  const skipPicture = (markFailed: (address: string) => void) => {
    markFailed(address)
    showNext()
  }
  return (
    <span className={`relative block size-full overflow-hidden rounded-art bg-raised ${className}`}>
      <img
        key={address}
        alt=""
        loading={loading}
        // Only a picture that loads late can ask for its size.
        sizes="auto, 320px"
        srcSet={loading === 'lazy' ? coverSizes(address, withBasePath('')) : undefined}
        src={address}
        decoding="async"
        draggable={false}
        onError={() => skipPicture(markArtFailed)}
        onLoad={({ currentTarget }) => {
          if (letterboxed && isMissingThumbnail(currentTarget)) skipPicture(markArtMissing)
        }}
        className={`absolute inset-x-0 w-full object-cover ${letterboxed ? 'top-[-17%] h-[134%]' : 'top-0 h-full'}`}
      />
    </span>
  )
}
