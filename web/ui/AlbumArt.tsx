import { useState } from 'react'
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
 * A song's art in the square it is given, or its drawn cover. An http:// picture that fails is asked for once
 * more as https:// on the same host, then drawn (PLAYER-40, D-41). Decorative: the title stands beside it.
 */
export function AlbumArt(props: AlbumArtProps) {
  return <Attempt key={props.art} {...props} />
}

function Attempt({ title, art, color, className = '', loading = 'lazy' }: AlbumArtProps) {
  const [address, setAddress] = useState(art)
  if (!address || !/^https?:\/\//i.test(address))
    return <Cover title={title} color={color} className={className} />
  return (
    <img
      src={address}
      alt=""
      loading={loading}
      decoding="async"
      draggable={false}
      onError={() => setAddress(secondAddress(address))}
      className={`block size-full rounded-art bg-raised object-cover ${className}`}
    />
  )
}

/** Where to try again after `failed`: null when there is nowhere. */
function secondAddress(failed: string): string | null {
  return failed.startsWith('http://') ? `https://${failed.slice('http://'.length)}` : null
}
