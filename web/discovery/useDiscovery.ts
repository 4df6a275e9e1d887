import { useQuery } from '@tanstack/react-query'
import { type Dispatch, useCallback, useEffect, useReducer } from 'react'
import { getNextSong, listMicrogenres, rateAndAdvance } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import type { Rating, Song } from '../../contract/shapes.ts'
import { useCheckAchievements } from '../achievements/useCheckAchievements.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useAction } from '../api/useAction.ts'
import { useInvalidateRatings } from '../library/useInvalidateRatings.ts'
import { usePlayback } from '../playback/PlaybackProvider.tsx'
import { toast } from '../ui/toast.ts'
import {
  canRate,
  canUndo,
  type Discovery,
  type DiscoveryEvent,
  FEEDBACK_TIME,
  isReadyToAdvance,
  needsRefill,
  nothingChosen,
  stepDiscovery,
} from './discoveryState.ts'
import { useMicrogenreSelected } from './microgenreSelected.ts'
import { pickMicrogenre } from './pickMicrogenre.ts'

/** discover-10. */
const NEXT_SONG_DELAY = 400
const UNDO_TIME = 10_000

/**
 * Rating song after song of one microgenre: the state of `discoveryState`, the server's answers, and the sound.
 * `onSelected` hears that a microgenre of the list was selected, also the present one (discover-4).
 */
export function useDiscovery(onSelected: () => void) {
  const [state, send] = useReducer(stepDiscovery, nothingChosen)
  const microgenres = useQuery(query(listMicrogenres))
  const { load, pause, stop, markInteracted } = usePlayback()
  const onRatingsChanged = useRatingsChanged()

  useFirstMicrogenre(state, microgenres.data, send)
  useSongFetch(state, send)
  useRefill(state, send)
  useRating(state, send, onRatingsChanged)
  useUndoWindow(state, send)
  const { mutate: takeBack } = useUndo(send, onRatingsChanged)
  useArtAhead(state.queue)

  const choose = useCallback(
    (microgenreId: string) => {
      pause()
      send({ type: 'chosen', microgenreId })
    },
    [pause],
  )
  useMicrogenreSelected((id) => {
    const isKnown = microgenres.data?.some((microgenre) => microgenre.id === id) ?? true
    if (!isKnown) return
    onSelected()
    if (id !== state.microgenreId || state.view !== 'song') choose(id)
  })

  const { song, view, visit } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: a song that comes back in another visit starts anew
  useEffect(() => {
    if (song && view === 'song') load(song)
    if (view === 'complete') stop()
  }, [song, view, visit, load, stop])

  return {
    state,
    microgenres,
    microgenre: microgenres.data?.find(({ id }) => id === state.microgenreId) ?? null,
    rate(rating: Rating) {
      if (!canRate(state)) return
      markInteracted()
      pause()
      send({ type: 'rate', rating })
    },
    undo() {
      const [latest] = state.rated
      if (latest && canUndo(state)) takeBack({ ...latest, visit })
    },
    choose,
    restart: () => send({ type: 'restarted' }),
    /** Asks again for what could not be loaded: the microgenres, or the first song of one. */
    tryAgain() {
      if (microgenres.data) send({ type: 'restarted' })
      else void microgenres.refetch()
    },
  }
}

/** What follows a rating that was kept or taken back. */
function useRatingsChanged() {
  const invalidateRatings = useInvalidateRatings()
  const checkAchievements = useCheckAchievements()
  return useCallback(() => {
    invalidateRatings()
    checkAchievements()
  }, [invalidateRatings, checkAchievements])
}

type Send = Dispatch<DiscoveryEvent>

function useFirstMicrogenre(
  { view }: Discovery,
  list: Parameters<typeof pickMicrogenre>[0] | undefined,
  send: Send,
) {
  useEffect(() => {
    if (view !== 'choosing' || !list) return
    const first = pickMicrogenre(list)
    if (first) send({ type: 'chosen', microgenreId: first.id })
  }, [view, list, send])
}

function useSongFetch({ fetching, microgenreId, visit }: Discovery, send: Send) {
  useEffect(() => {
    if (!fetching || !microgenreId) return
    const leaving = new AbortController()
    fetchSong(microgenreId, leaving.signal).then(
      (song) => send({ type: 'fetched', visit, song }),
      () => {
        if (leaving.signal.aborted) return
        if (fetching === 'next') toast(songFailure)
        send({ type: 'fetch-failed', visit })
      },
    )
    return () => leaving.abort()
  }, [fetching, microgenreId, visit, send])
}

/** The next song that is not rated, or null when there is none (404). */
async function fetchSong(id: string, signal: AbortSignal): Promise<Song | null> {
  try {
    const answer = await call(getNextSong, { params: { id }, query: { _t: String(Date.now()) } }, { signal })
    return 'prefetch' in answer ? (answer.songs[0] ?? null) : answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

function useRefill(state: Discovery, send: Send) {
  const wanted = needsRefill(state)
  const { microgenreId, visit } = state
  useEffect(() => {
    if (!wanted || !microgenreId) return
    send({ type: 'refilling' })
    call(getNextSong, { params: { id: microgenreId }, query: { prefetch: 'true' } }).then(
      (answer) => send({ type: 'refilled', visit, songs: 'prefetch' in answer ? answer.songs : [answer] }),
      // The answer to the next rating has a song too; the queue is asked for again there.
      () => {},
    )
  }, [wanted, microgenreId, visit, send])
}

function useRating(state: Discovery, send: Send, onKept: () => void) {
  const { microgenreId, pending } = state
  const attempt = pending?.attempt
  const songId = pending?.song.id
  const rating = pending?.rating

  // biome-ignore lint/correctness/useExhaustiveDependencies: one request per attempt, whatever changes meanwhile
  useEffect(() => {
    if (!attempt || !songId || !rating || !microgenreId) return
    // A switch of the microgenre leaves the request alone: the listener meant it (discover-5).
    call(rateAndAdvance, { body: { microgenreId, songId, rating } }).then(
      (outcome) => {
        onKept()
        send({ type: 'answered', attempt, outcome })
      },
      () => {
        toast({ title: 'Error', description: 'Failed to rate song. Please try again.', tone: 'error' })
        send({ type: 'answered', attempt, outcome: 'failed' })
      },
    )
    const feedback = setTimeout(() => send({ type: 'feedback-over', attempt }), FEEDBACK_TIME)
    return () => clearTimeout(feedback)
  }, [attempt])

  const ready = isReadyToAdvance(state)
  useEffect(() => {
    if (!ready || !attempt) return
    const delay = setTimeout(() => send({ type: 'advance', attempt }), NEXT_SONG_DELAY)
    return () => clearTimeout(delay)
  }, [ready, attempt, send])
}

function useUndoWindow({ undoable, attempt }: Discovery, send: Send) {
  useEffect(() => {
    if (!undoable) return
    const window = setTimeout(() => send({ type: 'undo-expired', attempt }), UNDO_TIME)
    return () => clearTimeout(window)
  }, [undoable, attempt, send])
}

/** Tried again after an answer was lost, it changes nothing more: the rating's time says which one is meant. */
function useUndo(send: Send, onSettled: () => void) {
  return useAction({
    mutationFn: ({ song, ratedAt }: Discovery['rated'][number] & { visit: number }) =>
      call(removeRating, { params: { songId: song.id }, query: { undo: 'true', ratedAt } }),
    onMutate: () => send({ type: 'undo' }),
    onSuccess(_, { song, visit }) {
      send({ type: 'undone', visit, song })
      toast({ title: 'Rating undone' })
    },
    onError(_, { visit }) {
      send({ type: 'undo-failed', visit })
      toast({ title: 'Error', description: 'Failed to undo the rating. Please try again.', tone: 'error' })
    },
    onSettled,
  })
}

/** The next songs' art is there before they are. */
function useArtAhead(queue: readonly Song[]) {
  useEffect(() => {
    for (const { albumArt } of queue) if (albumArt) new Image().src = albumArt
  }, [queue])
}

const songFailure = {
  title: 'Error',
  description: 'Failed to load the next song. Please try again.',
  tone: 'error',
} as const
