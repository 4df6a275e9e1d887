import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { getNextSong, listMicrogenres, stopLeaning, undoDefer } from '../../../contract/discovery.ts'
import type { ResponseOf } from '../../../contract/endpoint.ts'
import { songName } from '../../../contract/isolateName.ts'
import { removeRating } from '../../../contract/library.ts'
import { useCheckAchievements } from '../../achievements/useAchievements.ts'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { hasEarlyCall } from '../../api/earlyCalls.ts'
import { currentPath, fillPath } from '../../api/paths.ts'
import { query } from '../../api/query.ts'
import { useMutation } from '../../api/useMutation.ts'
import { setSessionEndNote, useCurrentUser } from '../../auth/currentUser.ts'
import { applyRatingToCache, invalidateRatings } from '../../library/applyRatingToCache.ts'
import { creditText } from '../../playback/AudioCredit.tsx'
import { isCovered, uncoverSong } from '../../playback/coverSong.ts'
import { usePlaybackEngine } from '../../playback/PlaybackProvider.tsx'
import { trackListening } from '../../playback/trackListening.ts'
import { renderAfterPaint, useDeferredStore } from '../../ui/afterPaint.ts'
import { preloadArt } from '../../ui/art/artAddress.ts'
import { correctScreenParams, goTo, useScreenParam } from '../../ui/screenParams.ts'
import { toast } from '../../ui/toast.ts'
import { prefersReducedMotion } from '../../ui/useMediaQuery.ts'
import { pickFirstMicrogenre } from '../picker/pickMicrogenre.ts'
import { onMicrogenreSelected } from '../selectMicrogenre.ts'
import { discoveryCalls } from './discoveryCalls.ts'
import { createDiscoveryEngine, type DiscoveryEngine } from './discoveryEngine.ts'
import { canUndo, type LastVerdict } from './discoveryState.ts'
import { pageTimeZone, todayQuery } from './todayQuery.ts'
import { useDiscoverPlayback } from './useDiscoverPlayback.ts'

/** Milliseconds in which the whole pad is lit, before the reveal. */
const REVEAL_TIME = 380

/** The discovery engine, for the microgenre of the address. `active` while Discover is on screen. */
export function useDiscovery(active: boolean) {
  const playback = useDiscoverPlayback()
  const player = usePlaybackEngine()
  const [heardTracker] = useState(() => trackListening(player))
  const queryClient = useQueryClient()
  const checkAchievements = useCheckAchievements()
  const [discovery] = useState(() =>
    createDiscoveryEngine({
      calls: discoveryCalls,
      playback,
      onRated(song, rating, answer, sentAt) {
        if (isCovered(song)) {
          const credit = song.audio ? ` (${creditText(song.audio)})` : ''
          toast({ title: 'That was', description: songName(uncoverSong(song)) + credit, name: 'that' })
        }
        // All counters render together.
        notifyManager.batch(() =>
          applyRatingToCache(queryClient, {
            song: uncoverSong(song),
            rating,
            response: answer,
            sentAt,
            dailyStatsKey: todayQuery().queryKey,
          }),
        )
        // Undefined if the server does not know.
        if (answer.unlocked !== false) checkAchievements()
      },
      onFailure(action, error) {
        toast.error(failureMessages[action])
        if (action !== 'song' && isSignedOut(error)) setSessionEndNote(signedOutMessages[action])
        // Unless the server refused the rating, it may be stored and only the response lost.
        const isRefused = error instanceof ApiError && error.status < 500
        if (action === 'rating' && !isRefused) invalidateRatings(queryClient)
      },
      preloadArt(songs) {
        for (const { albumArt } of songs) preloadArt(albumArt)
      },
      ratingContext: (songId) => ({
        heard: heardTracker.getHeard(songId),
        // Only phones show today's ratings.
        zone: queryClient.getQueryData(todayQuery().queryKey) ? pageTimeZone() : undefined,
      }),
      revealTime: () => (prefersReducedMotion() ? 0 : REVEAL_TIME),
      renderAfterPaint,
    }),
  )
  // In a layout effect, because a press is possible as soon as the page shows.
  useLayoutEffect(() => {
    const { queryKey } = query(listMicrogenres)
    const stops = [
      discovery.run(),
      heardTracker.start(),
      onMicrogenreSelected((id) => {
        if (!isListed(queryClient.getQueryData<Microgenres>(queryKey), id)) return
        const { microgenreId, view } = discovery.getState()
        // The address does not change then, but the listener wants its songs; on another page those of now.
        if (id === microgenreId && (view !== 'song' || currentPath() !== '/')) discovery.choose(id)
        goTo({ section: 'discover', microgenre: id })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [discovery, heardTracker, queryClient])

  const earFirst = useCurrentUser().user?.earFirst
  // biome-ignore lint/correctness/useExhaustiveDependencies: the songs that wait are as the setting was
  useEffect(() => discovery.send({ type: 'requeue' }), [discovery, earFirst])

  const microgenres = useQuery(query(listMicrogenres))
  const list = microgenres.data
  useFollowAddress(discovery, active, list, microgenres.isFetched)

  const microgenreId = useDeferredStore(discovery, (state) => state.microgenreId)
  return {
    discovery,
    microgenres,
    microgenre: list?.find(({ id }) => id === microgenreId) ?? null,
    undo: useUndo(discovery, () => {
      invalidateRatings(queryClient)
      checkAchievements()
    }),
    /** Reloads what failed: the microgenres, or the first song of one. */
    tryAgain() {
      if (list) discovery.send({ type: 'restarted' })
      else void microgenres.refetch()
    },
  }
}

/**
 * Chooses the microgenre of the address, or one at random when it names none (discover-1). Another section keeps the
 * chosen one, because a switch would interrupt its song (screens-13).
 */
function useFollowAddress(
  discovery: DiscoveryEngine,
  active: boolean,
  list: Microgenres | undefined,
  isFetched: boolean,
) {
  const microgenre = useScreenParam('microgenre')
  useEffect(() => {
    const { microgenreId: current } = discovery.getState()
    if (!isFetched || (!active && current !== null) || currentPath() !== '/') return
    if (microgenre === null || !isListed(list, microgenre)) {
      const first =
        list?.find(({ id }) => hasEarlyCall(fillPath(getNextSong, { id }))) ?? pickFirstMicrogenre(list ?? [])
      correctScreenParams({ microgenre: current ?? first?.id ?? null })
    } else if (microgenre !== current) discovery.choose(microgenre)
  }, [discovery, active, list, isFetched, microgenre])
}

type Microgenres = ResponseOf<typeof listMicrogenres>

/** True for every id while there is no list. */
const isListed = (list: Microgenres | undefined, id: string) => list?.some((one) => one.id === id) ?? true

/** A repeated undo changes nothing more, because the rating's time identifies it. */
function useUndo(discovery: DiscoveryEngine, onSettled: () => void) {
  const { mutate } = useMutation({
    mutationFn({ song, rating, at, isLean }: LastVerdict & { visit: number; isLean: boolean }) {
      const params = { songId: song.id }
      if (isLean) return call(stopLeaning, { params: { id: song.id } })
      return rating
        ? call(removeRating, { params, query: { undo: 'true', ratedAt: at } })
        : call(undoDefer, { params, query: { saidAt: at } })
    },
    onMutate: () => discovery.send({ type: 'undo' }),
    onSuccess(_, { song, rating, visit, isLean }) {
      if (isLean) {
        discovery.send({ type: 'leaned', visit, songId: null })
        return toast({ title: '‘More like this’ undone' })
      }
      discovery.send({ type: 'undone', visit, song })
      toast({ title: rating ? 'Rating undone' : 'Not now undone' })
    },
    onError(error, { rating, visit, isLean }) {
      if (isSignedOut(error)) setSessionEndNote(signedOutMessages.undo)
      discovery.send({ type: 'undo-failed', visit })
      const action = isLean ? "'More like this'" : rating ? 'the rating' : "'Not now'"
      toast.error(`Failed to undo ${action}. Please try again.`)
    },
    onSettled,
  })
  return () => {
    const state = discovery.getState()
    const { lastVerdict, leanId, visit } = state
    if (lastVerdict && canUndo(state))
      mutate({ ...lastVerdict, visit, isLean: leanId === lastVerdict.song.id })
  }
}

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401

const signedOutMessages = {
  rating: 'Your last rating was not kept.',
  deferral: "Your last 'Not now' was not kept.",
  undo: 'Your last undo was not kept.',
}

const failureMessages = {
  rating: 'Failed to rate song. Please try again.',
  deferral: 'Failed to put the song off. Please try again.',
  song: 'Failed to load the next song. Please try again.',
}
