import { useReducer } from 'react'
import { coverSizes } from '../../contract/coverAddress.ts'
import { addressOf } from '../api/address.ts'
import { failArt, giveUpArt, usableArt } from './artAddress.ts'
import { Cover } from './Cover.tsx'
import { hasBars, isMissing } from './thumbnail.ts'

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
  const [, showNext] = useReducer((shown: number) => shown + 1, 0)
  const address = usableArt(art)
  if (!address) return <Cover title={title} color={color} className={className} />
  const barred = hasBars(address)
  const forget = (how: (address: string) => void) => {
    how(address)
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
        srcSet={loading === 'lazy' ? coverSizes(address, addressOf('')) : undefined}
        src={address}
        decoding="async"
        draggable={false}
        onError={() => forget(failArt)}
        onLoad={({ currentTarget }) => {
          if (barred && isMissing(currentTarget)) forget(giveUpArt)
        }}
        className={`absolute inset-x-0 w-full object-cover ${barred ? 'top-[-17%] h-[134%]' : 'top-0 h-full'}`}
      />
    </span>
  )
}
