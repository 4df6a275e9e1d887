import { type RatedSong, removeRating } from '../../contract/library.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { toast } from '../ui/toast.ts'
import { useInvalidateRatings } from './useInvalidateRatings.ts'

/** Removes a banger and shows a toast. */
export function useRemoveFromLibrary() {
  const invalidate = useInvalidateRatings()
  return useAction({
    nameOf: songOf,
    mutationFn: ({ song }: RatedSong) => call(removeRating, { params: { songId: song.id } }),
    onSuccess: (_, { song }) => {
      invalidate()
      toast({
        title: 'Removed from your library',
        description: `${song.title} by ${song.artist}`,
        tone: 'success',
      })
    },
    onError: () =>
      toast({
        title: 'Error',
        description: 'The song is still in your library. Please try again.',
        tone: 'error',
      }),
  })
}

const songOf = ({ song }: RatedSong) => song.id
