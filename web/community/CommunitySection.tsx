import { Link } from 'wouter'
import { mapAddress } from '../discovery/map/mapAddress.ts'
import { usePlacePart } from '../ui/place.ts'
import { Leaderboard } from './Leaderboard.tsx'
import { YourAchievements } from './YourAchievements.tsx'
import './layouts.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getCommunityStats, listDivided, listTrending } from '../../contract/community.ts'
import { query } from '../api/query.ts'
import { percentOf } from '../discovery/room.ts'
import { PlayAll } from '../playback/PlayAll.tsx'
import { Figure, Figures } from '../ui/Figures.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { BoardRow } from './BoardRow.tsx'
import { PLACES, Ranking } from './Ranking.tsx'

/** Community Insights: everybody's bangers, and the listener's achievements. */
export function CommunitySection() {
  const microgenre = usePlacePart('microgenre')
  return (
    <div className="community">
      <div className="@container">
        <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 wide:mb-6">
          <h1>Community Insights</h1>
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
            href={mapAddress(microgenre)}
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
          className="period"
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
  return (
    <>
      <Figures>
        <Figure name="Total Bangers">{show(data?.totalBangers)}</Figure>
        <Figure name="Active Users">{show(data?.activeUsers)}</Figure>
        <Figure name="Songs Rated">{show(data?.totalRatings)}</Figure>
        <Figure name="Discovery Rate">73%</Figure>
      </Figures>
      {isError && !data && (
        <div className="mt-4">
          <LoadFailure onRetry={refetch}>The community's numbers did not load.</LoadFailure>
        </div>
      )}
    </>
  )
}

const show = (figure: number | undefined) => figure?.toLocaleString() ?? '–'

/** The songs of the moment; each can be played, and all of them one after the other (community-19). */
function TrendingBangers() {
  const list = useQuery({ ...query(listTrending), staleTime: 0 })
  return (
    <Ranking
      title="Trending Bangers"
      action={
        list.data && list.data.length > 0 && <PlayAll songs={() => list.data?.slice(0, PLACES) ?? []} />
      }
      list={list}
      empty="Nobody has found a banger yet. The first one could be yours."
      failure="The trending bangers did not load."
      row={(song, place) => (
        <BoardRow song={song} place={place}>
          {song.bangerCount.toLocaleString()}
          <span className="sr-only">{song.bangerCount === 1 ? ' banger' : ' bangers'}</span>
        </BoardRow>
      )}
    />
  )
}

/** The songs nearest to half bangers, half busts: how near is for those who have rated them (community-17). */
function DividedSongs() {
  const list = useQuery({ ...query(listDivided), staleTime: 0 })
  return (
    <Ranking
      title="Most Divided Songs"
      list={list}
      empty="No song has five ratings yet."
      failure="The most divided songs did not load."
      row={(song, place) => (
        <BoardRow song={song} place={place}>
          {song.room ? (
            <>
              {percentOf('banger', song.room)} %
              <span className="sr-only">{` bangers of ${song.room.listeners.toLocaleString()} listeners`}</span>
            </>
          ) : (
            <span className="text-xs text-ink-3">Rate it to see</span>
          )}
        </BoardRow>
      )}
    />
  )
}
