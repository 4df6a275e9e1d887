import { useQuery } from '@tanstack/react-query'
import { fetchFile } from '../api/fetchFile.ts'

/** The name under which the picture is saved and sent. */
export const PICTURE_NAME = 'banger-or-bust.png'

/** The picture at an address as a file, requested anew for each dialog, because what it shows changes. */
export function useSharePicture(address: string) {
  return useQuery({
    queryKey: [address],
    queryFn: async ({ signal }) =>
      new File([await fetchFile(address, signal)], PICTURE_NAME, { type: 'image/png' }),
    gcTime: 0,
  })
}
