import { useQuery } from '@tanstack/react-query'
import type { CSSProperties, ReactNode } from 'react'
import {
  getMap,
  listMicrogenres,
  listNextMicrogenres,
  NEXT_MICROGENRES_LIMIT,
  restartMicrogenre,
} from '../../contract/discovery.ts'
import { isolateName, songName } from '../../contract/isolateName.ts'
import type { RecommendedMicrogenre, Song } from '../../contract/shapes.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { ratingsQuery } from '../library/ratingsQuery.ts'
import { AudioCredit } from '../playback/AudioCredit.tsx'
import { usePlayback, usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { getCreditedAudio, getSongPhase } from '../playback/playbackState.ts'
import { useDeferredStore } from '../ui/afterPaint.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Cover } from '../ui/art/Cover.tsx'
import { Button, ButtonTo } from '../ui/controls/Button.tsx'
import { Pause, Play } from '../ui/laterIcons.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { openDialog } from '../ui/screenParams.ts'
import { toast, UNDO_TIME } from '../ui/toast.ts'
import type { DiscoveryEngine } from './engine/discoveryEngine.ts'
import type { RatedSong } from './engine/discoveryState.ts'
import { selectMicrogenre } from './selectMicrogenre.ts'
import './complete.css'

interface CompleteViewProps {
  discovery: DiscoveryEngine
  /** The microgenre's name. */
  name: string
  onTryAgain: () => void
  onExplore: () => void
  /** Further actions, such as undo. */
  children: ReactNode
}

export function CompleteView({ discovery, name, onTryAgain, onExplore, children }: CompleteViewProps) {
  const microgenreId = useDeferredStore(discovery, (state) => state.microgenreId)
  const ratedSongs = useDeferredStore(discovery, (state) => state.rated)
  const hasFetchFailed = useDeferredStore(discovery, (state) => state.hasFetchFailed)
  const lastRating = useDeferredStore(discovery, (state) => state.lastVerdict?.rating)
  const restartMutation = useMutation({
    mutationFn: (id: string) => call(restartMicrogenre, { params: { id } }),
    onSuccess() {
      toast({
        title: 'Microgenre Restarted',
        description: `Ready to rediscover ${isolateName(name)}!`,
        tone: 'success',
      })
      discovery.send({ type: 'restarted' })
    },
    onError: () => toast.error('Failed to restart microgenre. Please try again.'),
  })
  const restart = () =>
    microgenreId ? restartMutation.mutate(microgenreId) : toast.error('No microgenre selected')

  const actions = (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant={hasFetchFailed ? 'outline' : 'main'} size="big" onClick={onExplore}>
        Explore New Microgenres
      </Button>
      <Button size="big" pending={restartMutation.isPending} onClick={restart}>
        {restartMutation.isPending ? 'Restarting...' : 'Restart This Microgenre'}
      </Button>
      <Button size="big" onClick={() => openDialog('suggest')}>
        Suggest a song
      </Button>
      {children}
      {microgenreId && lastRating === 'banger' && !hasFetchFailed && <NearestButton to={microgenreId} />}
    </div>
  )

  return (
    <div className="complete max-wide:pb-[calc(var(--nav-h)+var(--below)+1rem)] wide:framed:pb-62">
      <div
        data-filled={hasFetchFailed ? undefined : ''}
        className={`complete-room max-wide:pt-4 ${sectionClasses}`}
      >
        <div className="grid gap-4">
          {hasFetchFailed ? (
            <>
              <div role="alert" className="grid justify-items-start gap-3">
                <p className="font-display text-xl/8 font-bold wrap-anywhere [font-stretch:var(--width-heading)]">
                  {`The songs of ${isolateName(name)} could not be loaded, so there may be more.`}
                </p>
                <p className="text-ink-2">Check your connection and try again.</p>
                <Button variant="main" size="big" onClick={onTryAgain}>
                  Try again
                </Button>
              </div>
              <h1 className="text-sm! font-semibold text-ink-2">Microgenre Complete!</h1>
            </>
          ) : (
            <>
              <h1 className="text-[max(min(2.25rem,9.5vw),min(5.6vw,5.25rem))]! leading-none! font-extrabold [font-stretch:128%]">
                Microgenre Complete!
              </h1>
              <CompletionMessage name={name} />
            </>
          )}
        </div>
        {microgenreId && !hasFetchFailed ? (
          <CompletedSongs microgenreId={microgenreId} latest={ratedSongs}>
            {actions}
          </CompletedSongs>
        ) : (
          actions
        )}
      </div>
      {microgenreId && <Suggestions exclude={microgenreId} hasFetchFailed={hasFetchFailed} />}
    </div>
  )
}

/** After a banger: the nearest microgenre on the map that has songs left (discover-91). */
function NearestButton({ to }: { to: string }) {
  const { data: map } = useQuery(query(getMap))
  const { data: listed } = useQuery(query(listMicrogenres))
  const near = map?.find(({ id }) => id === to)?.near ?? []
  const nearest = near
    .map((id) => listed?.find((one) => one.id === id))
    .find((one) => one !== undefined && one.unratedCount > 0)
  if (!nearest) return null
  const { id, name } = nearest
  function open() {
    selectMicrogenre(id)
    toast({
      title: `More like this: ${isolateName(name)}`,
      duration: UNDO_TIME,
      action: { label: 'Undo', run: () => selectMicrogenre(to) },
    })
  }
  return (
    <Button size="big" onClick={open}>
      <span>
        More like this: <bdi>{name}</bdi>
      </span>
    </Button>
  )
}

const sectionClasses =
  'grid content-start gap-6 px-[max(1rem,(100vw-84rem)/2)] py-6 wide:gap-8 wide:px-[max(1.5rem,(100vw-84rem)/2)] low:pr-[max(1rem,var(--beside))]'

function CompletionMessage({ name }: { name: string }) {
  return (
    <>
      <p className="font-display text-lg font-semibold [font-stretch:var(--width-heading)]">
        You've rated every song in <bdi className="font-extrabold [font-stretch:125%]">{name}</bdi>
      </p>
      <p className="text-ink-2">Great work exploring this microgenre! Check your stats or try a new one.</p>
    </>
  )
}

function Suggestions({ exclude, hasFetchFailed }: { exclude: string; hasFetchFailed: boolean }) {
  const { data, isError, refetch } = useQuery({
    ...query(listNextMicrogenres, { query: { exclude, limit: NEXT_MICROGENRES_LIMIT } }),
    staleTime: 5 * 60_000,
  })
  if (isError && !data && !hasFetchFailed)
    return (
      <section className={sectionClasses}>
        <LoadFailure onRetry={refetch}>The suggestions did not load.</LoadFailure>
      </section>
    )
  if (!data?.length) return null
  return (
    <section className={sectionClasses}>
      <h2>Suggested Microgenres</h2>
      <ul className="grid gap-3 wide:grid-cols-2 roomy:gap-4 large:grid-cols-4">
        {data.slice(0, NEXT_MICROGENRES_LIMIT).map((microgenre) => (
          <li key={microgenre.id}>
            <Suggestion microgenre={microgenre} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Suggestion({
  microgenre: { id, name, color, songCount, reason },
}: {
  microgenre: RecommendedMicrogenre
}) {
  return (
    <button
      type="button"
      data-genre=""
      style={{ '--genre': color } as CSSProperties}
      onClick={() => selectMicrogenre(id)}
      className="grid size-full grid-cols-[3rem_minmax(0,1fr)] items-center gap-2 rounded-pad border border-line bg-surface p-2 text-left transition-colors duration-(--duration-quick) hover:border-line-strong wide:grid-cols-[5rem_minmax(0,1fr)] wide:gap-4 wide:p-3"
    >
      <span className="aspect-square">
        <Cover title={name} color={color} />
      </span>
      <span className="grid min-w-0 gap-1">
        <b
          dir="auto"
          className="text-left font-display leading-5 font-bold wrap-anywhere text-accent hyphens-auto [font-stretch:92%] wide:[font-stretch:var(--width-heading)]"
        >
          {name}
        </b>
        <span className="text-xs text-ink-2">{songCount} songs</span>
        <span className="text-xs wrap-anywhere">{reason}</span>
      </span>
    </button>
  )
}

interface CompletedSongsProps {
  microgenreId: string
  /** The ratings of this visit, shown until all have loaded. */
  latest: readonly RatedSong[]
  /** Between the figures and the covers. */
  children: ReactNode
}

/** A microgenre may have thousands of songs, and drawing covers takes time. */
const MAX_SLEEVES = 120

/** How many bangers the microgenre had, and its covers, bangers first. A press plays a banger (discover-30). */
function CompletedSongs({ microgenreId, latest, children }: CompletedSongsProps) {
  const { data, isFetching, isError, refetch } = useQuery(ratingsQuery)
  const allRatings =
    data?.isComplete && !isFetching
      ? data.ratings.filter(({ song }) => song.microgenreId === microgenreId)
      : null
  const shownRatings = allRatings ?? latest
  const bangers = shownRatings.filter(({ rating }) => rating === 'banger')
  const busts = shownRatings.filter(({ rating }) => rating === 'bust')
  const audio = usePlaybackState((state) => getCreditedAudio(state, state.song?.id))
  const failure = isError && !data && (
    <LoadFailure onRetry={refetch}>Your ratings of this microgenre did not load.</LoadFailure>
  )
  if (shownRatings.length === 0) {
    return (
      <>
        {children}
        {failure}
      </>
    )
  }
  return (
    <section aria-label="Your ratings" className="grid gap-6">
      <div className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 max-wide:gap-x-2">
        {allRatings && (
          <>
            <p className="font-display font-semibold font-stretch-(--width-heading) wide:text-lg">
              <b className="mr-1 align-middle text-2xl font-black text-hot tabular-nums font-stretch-(--width-banger) wide:text-3xl">
                {bangers.length}
              </b>{' '}
              {`${bangers.length === 1 ? 'banger' : 'bangers'} of ${allRatings.length}`}
            </p>
            <span
              aria-hidden="true"
              className="tally-bar h-4 min-w-24 flex-1 overflow-hidden rounded-control bg-cold-fill max-wide:order-last max-wide:w-full max-wide:flex-none"
            >
              <span
                className="block h-full bg-hot-fill"
                style={{ width: `${(bangers.length / allRatings.length) * 100}%` }}
              />
            </span>
          </>
        )}
        <ButtonTo to="/profile" size="tight" className="ml-auto">
          Your stats
        </ButtonTo>
      </div>
      {children}
      {failure}
      {audio && (
        <p className="text-xs text-ink-2 wrap-anywhere">
          <AudioCredit audio={audio} />
        </p>
      )}
      <div className="sleeves grid grid-cols-[repeat(auto-fill,minmax(3.5rem,1fr))] gap-1">
        {[...bangers, ...busts].slice(0, MAX_SLEEVES).map(({ song, rating }, i) => (
          <div key={song.id} style={{ '--place': Math.min(i, 40) } as CSSProperties}>
            {rating === 'banger' ? <PlayableSleeve song={song} /> : <BustSleeve song={song} />}
          </div>
        ))}
      </div>
    </section>
  )
}

function PlayableSleeve({ song }: { song: Song }) {
  const { select } = usePlayback()
  const phase = usePlaybackState((state) => getSongPhase(state, song.id))
  const Icon = phase === 'playing' ? Pause : Play
  const name = songName(song)
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={phase === 'playing'}
      title={name}
      onClick={() => select(song, { announce: true })}
      className="relative block aspect-square w-full"
    >
      <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
      {phase && (
        <span className="absolute inset-0 m-auto grid size-8 place-items-center bg-paper">
          <Icon className="size-5 fill-current" strokeWidth={1} />
        </span>
      )}
    </button>
  )
}

function BustSleeve({ song }: { song: Song }) {
  return (
    <span className="block aspect-square opacity-25 grayscale">
      <span className="sr-only">{`Bust: ${songName(song)}`}</span>
      <AlbumArt title={song.title} art={song.albumArt} color={song.color} />
    </span>
  )
}
