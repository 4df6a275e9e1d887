import { useState } from 'react'
import { withBasePath } from '../../api/paths.ts'

/**
 * A round picture, or a letter when there is none or it fails to load. Decorative: the name is beside it or on the
 * control.
 */
export function Avatar({
  image,
  letter,
  className = 'size-9 bg-raised text-[0.95rem]',
}: {
  image: string | null
  letter: string
  className?: string
}) {
  const [failedImage, setFailedImage] = useState<string | null>(null)
  return (
    <span
      aria-hidden="true"
      className={`grid flex-none place-items-center overflow-hidden rounded-full border border-line font-display leading-none font-bold ${className}`}
    >
      {image && image !== failedImage ? (
        <img
          src={image.startsWith('/') ? withBasePath(image) : image}
          alt=""
          className="size-full object-cover"
          referrerPolicy="no-referrer"
          onError={() => setFailedImage(image)}
        />
      ) : (
        letter
      )}
    </span>
  )
}
