import { useEffect, useState } from 'react'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import type { useSharePicture } from './useSharePicture.ts'

interface SharePictureProps {
  picture: Pick<ReturnType<typeof useSharePicture>, 'data' | 'isError' | 'refetch'>
  /** What it shows, in words. */
  alt: string
}

/** The picture before it is sent. Its place is kept while it is made, so that nothing moves (sharing-20). */
export function SharePicture({ picture: { data, isError, refetch }, alt }: SharePictureProps) {
  const address = useObjectUrl(data)
  if (isError) {
    return <LoadFailure onRetry={refetch}>The picture did not load.</LoadFailure>
  }
  return (
    <div className="share-picture">
      {address ? (
        <img src={address} alt={alt} className="size-full" />
      ) : (
        <p role="status" className="grid justify-items-center gap-2 p-2 text-center text-xs text-ink-2">
          <Spinner />
          Making the picture...
        </p>
      )}
    </div>
  )
}

/** An address for an `img`. */
function useObjectUrl(file: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
