import { useState } from 'react'
import { giveUpArt, nextArt, usableArt } from './artAddress.ts'
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
 * A song's art as a square: a picture, a thumbnail without its bars, or its drawn cover. An http:// picture that
 * fails is requested once more over https:// on the same host, then drawn, here and wherever the song shows next
 * (playback-18). Decorative, because the
 * title is beside it.
 */
export function AlbumArt(props: AlbumArtProps) {
  return <Attempt key={props.art} {...props} />
}

function Attempt({ title, art, color, className = '', loading = 'lazy' }: AlbumArtProps) {
  const [address, setAddress] = useState(() => usableArt(art))
  if (!address) return <Cover title={title} color={color} className={className} />
  const barred = hasBars(address)
  return (
    <span className={`relative block size-full overflow-hidden rounded-art bg-raised ${className}`}>
      <img
        src={address}
        alt=""
        loading={loading}
        decoding="async"
        draggable={false}
        onError={() => setAddress(nextArt(address))}
        onLoad={({ currentTarget }) => {
          if (!barred || !isMissing(currentTarget)) return
          giveUpArt(address)
          setAddress(null)
        }}
        className={`absolute inset-x-0 w-full object-cover ${barred ? 'top-[-17%] h-[134%]' : 'top-0 h-full'}`}
      />
    </span>
  )
}
