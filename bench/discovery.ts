import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connect, type Database } from '../server/db/connection.ts'
import { startEmbedded } from '../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { type Crowd, generateCrowd } from './discovery/crowd.ts'
import { dealFromHand, type Hand } from './discovery/hand.ts'
import {
  type AddCleanUp,
  beginPart,
  finish,
  type Goal,
  isShort,
  judge,
  setting,
  sumOf,
  wantedParts,
  withCleanUp,
} from './measure/report.ts'

/* How many bangers listeners find, and which songs are heard. See README.md. */

const SEEDS = setting('BENCH_SEEDS', 10, 1)

/** Songs that each listener hears. */
const SONGS_PER_LISTENER = 20

/** Accounts that push a weak song, and the listeners who are counted after that. */
const PUSHING_LISTENERS = 300

/** The short form has a tenth of the listeners. */
const part = (listeners: number) => (isShort ? Math.round(listeners / 10) : listeners)

interface Scene {
  songs: number
  /** Songs of another microgenre, and how many of them each listener rates the day before. */
  elsewhere: number
  before: number
  listeners: number
  /** Where the late listeners begin. */
  late: number
  /** Whether a brigade comes at the end. */
  isPushed: boolean
  goals: Partial<Record<keyof Figures, Goal>>
}

/** What listeners find. */
interface Figures {
  /** Bangers as a multiple of what a shuffle finds on average, of the first 100 listeners and of the late ones. */
  'lift, first 100': number
  'lift, late ones': number
  /** A listener without a banger counts as having the first after the last song. */
  'first banger at': number
  /** The share of all plays that the least-heard half of the songs had. */
  'plays of half, %': number
  '≥ 5 plays, %': number
  /** How often listeners hear the pushed song, as a multiple of the mean. */
  'brigade, × mean'?: number
}

const SCENES: Record<'newcomers' | 'returning', Scene> = {
  newcomers: {
    songs: 1000,
    elsewhere: 0,
    before: 0,
    listeners: 1054,
    late: 600,
    isPushed: true,
    goals: {
      'lift, first 100': { least: 0.98 },
      'lift, late ones': { least: 1.2 },
      'plays of half, %': { least: 27 },
      'brigade, × mean': { most: 4.5 },
    },
  },
  returning: {
    songs: 300,
    elsewhere: 700,
    before: 60,
    listeners: 1500,
    late: 1000,
    isPushed: false,
    goals: { 'lift, late ones': { least: 1.5 }, 'plays of half, %': { least: 30 } },
  },
}

await withCleanUp(run)
finish()

async function run(later: AddCleanUp): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bob-discovery-'))
  later(() => rm(dataDir, { recursive: true, force: true }))
  const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
  later(() => embedded.stop())
  await migrateDatabase(embedded.connection)
  const db = connect(embedded.connection, {
    max: 1,
    lookups: true,
    settings: { statement_timeout: '0', synchronous_commit: 'off' },
  })
  later(() => db.end({ timeout: 5 }))
  for (const name of wantedParts(['newcomers', 'returning'])) {
    beginPart(name)
    await play(db, name, SCENES[name])
  }
}

async function play(db: Database, name: string, scene: Scene): Promise<void> {
  console.log(
    `\n${name}: ${part(scene.listeners)} listeners, ${scene.songs} songs, ${SONGS_PER_LISTENER} each, ${SEEDS} seeds`,
  )
  const all: Figures[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const crowd = generateCrowd(seed, scene)
    all.push(await measure(await dealFromHand(db, crowd, SONGS_PER_LISTENER, scene.before), crowd, scene))
    console.log(`  seed ${seed}`)
  }
  for (const what of Object.keys(all[0] ?? {}) as (keyof Figures)[]) {
    const values = all.map((figures) => figures[what] ?? Number.NaN)
    judge(what, values, scene.goals[what])
  }
}

/** What one listener heard of one microgenre. */
interface Listening {
  songs: readonly number[]
  bangers: readonly boolean[]
  /** The share of bangers among all songs that were offered: what a shuffle finds on average. */
  bangerShare: number
}

async function measure(hand: Hand, crowd: Crowd, scene: Scene): Promise<Figures> {
  const listen = async (from: number, count: number) => {
    const listenings: Listening[] = []
    for (let n = from; n < from + count; n++) listenings.push(await listenAs(hand, crowd, n))
    return listenings
  }
  const listenings = await listen(0, part(scene.listeners))
  const latest = listenings.slice(part(scene.late))
  const plays = playsOf(listenings, crowd)
    .slice(scene.elsewhere)
    .sort((a, b) => a - b)
  const figures: Figures = {
    'lift, first 100': liftOf(listenings.slice(0, 100)),
    'lift, late ones': liftOf(latest),
    'first banger at': meanOf(
      latest.map(({ bangers }) => (bangers.includes(true) ? bangers.indexOf(true) : bangers.length) + 1),
    ),
    'plays of half, %': (100 * sumOf(plays.slice(0, plays.length / 2))) / sumOf(plays),
    '≥ 5 plays, %': (100 * plays.filter((times) => times >= 5).length) / plays.length,
  }
  if (!scene.isPushed) return figures
  await hand.push(crowd.weak, PUSHING_LISTENERS)
  const after = playsOf(await listen(scene.listeners, part(PUSHING_LISTENERS)), crowd)
  return { ...figures, 'brigade, × mean': (after[crowd.weak] ?? 0) / meanOf(after) }
}

async function listenAs(hand: Hand, crowd: Crowd, listener: number): Promise<Listening> {
  const verdicts = crowd.verdictsOf(listener)
  const songs = await hand.listen(verdicts)
  const bangerShare = meanOf(verdicts.slice(crowd.elsewhere).map(Number))
  return { songs, bangers: songs.map((song) => verdicts[song] === true), bangerShare }
}

function liftOf(listenings: readonly Listening[]): number {
  const bangersFound = sumOf(listenings.map(({ bangers }) => bangers.filter(Boolean).length))
  return bangersFound / sumOf(listenings.map(({ songs, bangerShare }) => songs.length * bangerShare))
}

/** How often each song was heard. */
function playsOf(listenings: readonly Listening[], { songs }: Crowd): number[] {
  const plays = Array.from({ length: songs }, () => 0)
  for (const song of listenings.flatMap((listening) => listening.songs)) plays[song] = (plays[song] ?? 0) + 1
  return plays
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}
