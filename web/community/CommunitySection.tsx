import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { compactAchievementName } from '../../contract/achievements.ts'
import {
  getCommunityStats,
  listDivided,
  listMicrogenreStats,
  listTrending,
} from '../../contract/community.ts'
import type { Microgenre, Song } from '../../contract/shapes.ts'
import { AchievementCards } from '../achievements/AchievementCards.tsx'
import { useAchievements } from '../achievements/useAchievements.ts'
import { config } from '../api/config.ts'
import { query } from '../api/query.ts'
import { ratingPercent } from '../discovery/engine/discoveryState.ts'
import { mapPath, selectMicrogenre } from '../discovery/selectMicrogenre.ts'
import { PlaybackIcon } from '../playback/PlaybackIcon.tsx'
import { usePlaybackState } from '../playback/PlaybackProvider.tsx'
import { getSongPhase } from '../playback/playbackState.ts'
import { PlayAll } from '../playback/QueueButtons.tsx'
import { PlayableArt, SongNames } from '../playback/SongParts.tsx'
import { AchievementShareDialog, ShareAchievementsButton } from '../sharing/AchievementShareDialog.tsx'
import { ShareStatsButton } from '../sharing/ShareStatsButton.tsx'
import { HeadingButton } from '../ui/controls/HeadingButton.tsx'
import { EyeOff } from '../ui/laterIcons.ts'
import { Figure, Figures } from '../ui/page/Figures.tsx'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { lazyDialog } from '../ui/page/lazyComponent.tsx'
import { useDialog, useScreenParam } from '../ui/screenParams.ts'
import { MAX_PLACES, PlaceNumber, Ranking } from './Ranking.tsx'

const BlindRoundDialog = lazyDialog(
  async () => (await import('../sharing/BlindRoundDialog.tsx')).BlindRoundDialog,
)

/** Community Insights: everybody's bangers, and the listener's achievements. */
export function CommunitySection() {
  const microgenre = useScreenParam('microgenre')
  const blindRound = useDialog('blind-round')
  return (
    <div className="px-4 pt-4 pr-[max(1rem,var(--beside))] pb-(--clear-bottom) wide:px-6 wide:pr-[max(1.5rem,var(--beside))] railed:grid railed:grid-cols-[minmax(0,1fr)_var(--dock-w)] railed:gap-x-10 railed:pr-6">
      <div className="@container">
        <div className="mb-4 flex flex-wrap items-start gap-x-2 gap-y-3 wide:mb-6">
          <h1 className="flex min-h-(--size-touch) flex-auto items-center max-wide:flex-1 max-wide:[font-stretch:75%]">
            Community Insights
          </h1>
          <ShareStatsButton />
          {config.visitors && (
            <>
              <HeadingButton icon={EyeOff} onClick={() => blindRound.onOpenChange(true)}>
                Blind Round
              </HeadingButton>
              <BlindRoundDialog {...blindRound} />
            </>
          )}
          <PeriodButtons />
        </div>
        <CommunityFigures />
        <div className="mt-7 grid gap-8 @2xl:grid-cols-2 @2xl:gap-10">
          <TrendingBangers />
          <Leaderboard />
          <DividedSongs />
        </div>
        <p className="mt-7 flex flex-wrap gap-x-6 text-ink-2">
          <Link href="/fairness" className="inline-block py-3 underline underline-offset-3 hover:text-ink">
            How fairly songs are heard
          </Link>
          <Link
            href={mapPath(microgenre)}
            className="inline-block py-3 underline underline-offset-3 hover:text-ink"
          >
            The map of microgenres
          </Link>
        </p>
      </div>
      <YourAchievements />
    </div>
  )
}

const periods = ['Today', 'This Week', 'All Time'] as const

/** Choosing a period only moves the highlight; the figures are all-time (community-2). */
function PeriodButtons() {
  const [period, setPeriod] = useState<(typeof periods)[number]>('All Time')
  return (
    <fieldset className="flex overflow-hidden rounded-control border border-line-strong">
      <legend className="sr-only">Period</legend>
      {periods.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={period === name}
          onClick={() => setPeriod(name)}
          className="min-h-(--size-touch) border-l border-line px-4 font-[550] text-ink-2 hover:text-ink focus-visible:-outline-offset-4 aria-pressed:bg-ink aria-pressed:text-paper"
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

/** Four figures over all listeners. The discovery rate is constant (community-3). */
function CommunityFigures() {
  const { data, isError, refetch } = useQuery({ ...query(getCommunityStats), staleTime: 0 })
  if (isError && !data) {
    return (
      <LoadFailure isMain onRetry={refetch}>
        The community's numbers did not load.
      </LoadFailure>
    )
  }
  return (
    <Figures>
      <Figure name="Total Bangers">{formatFigure(data?.totalBangers)}</Figure>
      <Figure name="Active Users">{formatFigure(data?.activeUsers)}</Figure>
      <Figure name="Songs Rated">{formatFigure(data?.totalRatings)}</Figure>
      <Figure name="Discovery Rate">73%</Figure>
    </Figures>
  )
}

const formatFigure = (figure: number | undefined) => figure?.toLocaleString() ?? '–'

/** Songs that trend: each can be played, and all as a queue (community-19). */
function TrendingBangers() {
  const list = useQuery({ ...query(listTrending), staleTime: 0 })
  return (
    <Ranking
      title="Trending Bangers"
      action={
        list.data && list.data.length > 0 && <PlayAll songs={() => list.data?.slice(0, MAX_PLACES) ?? []} />
      }
      list={list}
      empty="Nobody has found a banger yet. The first one could be yours."
      failure="The trending bangers did not load."
      row={(song, place) => (
        <RankedSong song={song} place={place}>
          {song.bangerCount.toLocaleString()}
          <span className="sr-only">{song.bangerCount === 1 ? ' banger' : ' bangers'}</span>
        </RankedSong>
      )}
    />
  )
}

/** The songs whose ratings are nearest to half bangers. Only who has rated one sees its percentage (community-17). */
function DividedSongs() {
  const list = useQuery({ ...query(listDivided), staleTime: 0 })
  return (
    <Ranking
      title="Most Divided Songs"
      list={list}
      empty="No song has five ratings yet."
      failure="The most divided songs did not load."
      row={(song, place) => (
        <RankedSong song={song} place={place}>
          {song.room ? (
            <>
              {ratingPercent('banger', song.room)} %
              <span className="sr-only">{` bangers of ${song.room.listeners.toLocaleString()} listeners`}</span>
            </>
          ) : (
            <span className="text-xs text-ink-3">Rate it to see</span>
          )}
        </RankedSong>
      )}
    />
  )
}

/** The listener's achievements; they scroll separately beside the video. */
function YourAchievements() {
  const { data, isError, refetch } = useAchievements()
  return (
    <section
      aria-labelledby="your-achievements"
      className="@container mt-8 railed:sticky railed:top-[calc(var(--size-header)+1rem)] railed:mt-0 railed:flex railed:max-h-[calc(100svh-var(--size-header)-var(--size-video-least)-4rem)] railed:flex-col railed:self-start"
    >
      <h2 id="your-achievements" className="mb-2">
        Your Achievements
      </h2>
      {data ? (
        <>
          {data.length === 0 && (
            <p className="text-base text-ink-2">None yet. Your first banger unlocks one.</p>
          )}
          <AchievementCards
            achievements={data}
            nameOf={compactAchievementName}
            label="Your achievements"
            scrolls
          />
          <ShareAchievementsButton achievements={data} />
        </>
      ) : isError ? (
        <LoadFailure onRetry={refetch}>Your achievements did not load.</LoadFailure>
      ) : (
        <p role="status" className="text-ink-2">
          Loading achievements...
        </p>
      )}
      {data && <AchievementShareDialog achievements={data} />}
    </section>
  )
}

/** A ranked song, which can be played (community-19). `children` is its figure. */
function RankedSong({ song, place, children }: { song: Song; place: number; children: ReactNode }) {
  const phase = usePlaybackState((state) => getSongPhase(state, song.id))
  return (
    <div
      data-genre=""
      style={{ '--genre': song.color }}
      className="grid min-h-16 grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3"
    >
      <PlaceNumber>{place}</PlaceNumber>
      <PlayableArt song={song} phase={phase} className="size-12">
        <span className="absolute bottom-0 left-0 bg-paper p-1">
          <PlaybackIcon phase={phase ?? 'paused'} className="size-4" />
        </span>
      </PlayableArt>
      <SongNames song={song} />
      <span className="text-ink-2 tabular-nums">{children}</span>
    </div>
  )
}

/** Microgenres by the bangers of all listeners. A press opens one in the player. */
function Leaderboard() {
  const list = useQuery({ ...query(listMicrogenreStats), staleTime: 0, select: selectRanked })
  const maxBangers = Math.max(1, ...(list.data ?? []).map(({ bangerCount }) => bangerCount))
  return (
    <Ranking
      title="Microgenre Leaderboard"
      list={list}
      empty="No microgenre has a banger yet."
      failure="The leaderboard did not load."
      row={(microgenre, place) => (
        <RankedMicrogenre microgenre={microgenre} place={place} share={microgenre.bangerCount / maxBangers} />
      )}
    />
  )
}

/** A microgenre without bangers is not ranked. */
const selectRanked = (microgenres: Microgenre[]) => microgenres.filter(({ bangerCount }) => bangerCount > 0)

function RankedMicrogenre(props: { microgenre: Microgenre; place: number; share: number }) {
  const { id, name, color, bangerCount } = props.microgenre
  return (
    <button
      type="button"
      data-genre=""
      style={{ '--genre': color }}
      onClick={() => selectMicrogenre(id)}
      className="grid min-h-16 w-full grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-3 text-left hover:bg-raised focus-visible:-outline-offset-2"
    >
      <PlaceNumber>{props.place}</PlaceNumber>
      <span aria-hidden="true" className="size-3 rounded-full bg-accent" />
      <span className="grid gap-1.5">
        <b dir="auto" className="font-semibold wrap-anywhere">
          {name}
        </b>
        <span
          aria-hidden="true"
          className="h-1.5 rounded-[1px] bg-accent"
          style={{ width: `${props.share * 100}%` }}
        />
      </span>
      <span className="text-ink-2 tabular-nums">
        {bangerCount.toLocaleString()}
        <span className="sr-only">{bangerCount === 1 ? ' banger' : ' bangers'}</span>
      </span>
    </button>
  )
}
