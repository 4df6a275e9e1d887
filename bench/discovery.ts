import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connect, type Database } from '../server/db/connection.ts'
import { startEmbedded } from '../server/db/embedded/startEmbedded.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { numbersFrom } from '../tests/harness/numbersFrom.ts'
import { type Chooser, chooseBy, scores } from './discovery/choosers.ts'
import { type Crowd, generateCrowd } from './discovery/crowd.ts'
import {
  type Figures,
  figuresOf,
  type Listening,
  meanOf,
  playsOf,
  TITLES,
  withInterval,
} from './discovery/figures.ts'
import { dealFromHand } from './discovery/hand.ts'
import { readReplay } from './discovery/replay.ts'
import { beginPart, finish, judge, setting, wantedParts } from './measure/goals.ts'
import type { Goal } from './measure/record.ts'

/* How many bangers listeners find, and which songs are heard, with the product's functions and others. See README.md. */

const SEEDS = setting('BENCH_SEEDS', 20)

/** Songs that each listener hears. */
const HEARD = 20

/** Accounts that push a weak song, and the listeners who are counted after that. */
const BRIGADE = 300

/** The product's row of the table. */
const HAND = 'hand of cards'

interface Scene {
  name: string
  title: string
  /** Where the late listeners begin. */
  late: number
  crowdOf(seed: number): Crowd
  /** Songs that each listener rates before, in the other microgenre. */
  before: number
  /** Whether a brigade comes at the end. */
  isPushed: boolean
  goals: Partial<Record<keyof Figures, Goal>>
}

const SCENES = { newcomers, returning }
const wanted = wantedParts(['newcomers', 'returning'])
const replay = process.env.BENCH_REPLAY
const scenes = replay ? [await replayed(replay)] : wanted.map((name) => SCENES[name]())

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bob-discovery-'))
const embedded = await startEmbedded({ dataDir, log: () => {}, noSync: true })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)))
}
try {
  await migrateDatabase(embedded.connection)
  const db = connect(embedded.connection, {
    max: 1,
    lookups: true,
    settings: { statement_timeout: '0', synchronous_commit: 'off' },
  })
  for (const scene of scenes) await play(db, scene)
  await db.end({ timeout: 5 })
} finally {
  await close()
}
finish()

function newcomers(): Scene {
  return {
    name: 'newcomers',
    title: 'Newcomers: 1,054 listeners, 1,000 songs',
    late: 600,
    crowdOf: (seed) => generateCrowd(seed, { songs: 1000, elsewhere: 0, listeners: 1054 }),
    before: 0,
    isPushed: true,
    goals: { early: { least: 0.98 }, late: { least: 1.2 }, half: { least: 27 }, brigade: { most: 4.5 } },
  }
}

function returning(): Scene {
  return {
    name: 'returning',
    title:
      'Returning: 1,500 listeners, 300 songs, each with 60 ratings among 700 songs of another microgenre',
    late: 1000,
    crowdOf: (seed) => generateCrowd(seed, { songs: 300, elsewhere: 700, listeners: 1500 }),
    before: 60,
    isPushed: false,
    goals: { late: { least: 1.5 }, half: { least: 30 } },
  }
}

async function replayed(file: string): Promise<Scene> {
  const crowdOf = await readReplay(file, HEARD)
  const { listeners, songs } = crowdOf(1)
  return {
    name: 'replay',
    title: `Replay of ${file}: ${listeners} listeners, ${songs} songs`,
    late: Math.floor(listeners * 0.57),
    crowdOf,
    before: 0,
    isPushed: false,
    goals: {},
  }
}

async function play(db: Database, scene: Scene): Promise<void> {
  console.log(`\n${scene.title}; ${HEARD} songs each, ${SEEDS} seeds`)
  const all: Record<string, Figures[]> = {}
  for (let seed = 1; seed <= SEEDS; seed++) {
    const started = Date.now()
    const crowd = scene.crowdOf(seed)
    const choosers: [string, Chooser][] = Object.entries(scores).map(([name, score], n) => [
      name,
      chooseBy(score, crowd, HEARD, numbersFrom(seed * 17 + n)),
    ])
    choosers.push([HAND, await dealFromHand(db, crowd, { most: HEARD, before: scene.before })])
    for (const [name, chooser] of choosers) {
      all[name] ??= []
      all[name].push(await measure(chooser, crowd, scene))
    }
    const found = all[HAND]?.at(-1)
    console.log(
      `  seed ${seed}: ${found?.late?.toFixed(2)} × the bangers of a shuffle, ${found?.half?.toFixed(0)} % for the half, ` +
        `${((Date.now() - started) / 1000).toFixed(0)} s`,
    )
  }
  show(all, scene)
}

async function measure(chooser: Chooser, crowd: Crowd, { late, isPushed }: Scene): Promise<Figures> {
  const listenings: Listening[] = []
  for (let n = 0; n < crowd.listeners; n++) listenings.push(await hear(chooser, crowd, n))
  const figures = figuresOf(listenings, { ...crowd, late })
  if (!isPushed) return figures
  await chooser.push(crowd.weak, BRIGADE)
  const after: Listening[] = []
  for (let n = 0; n < BRIGADE; n++) after.push(await hear(chooser, crowd, crowd.listeners + n))
  const plays = playsOf(after, crowd.songs)
  return { ...figures, brigade: (plays[crowd.weak] ?? 0) / meanOf(plays) }
}

async function hear(chooser: Chooser, crowd: Crowd, listener: number): Promise<Listening> {
  const verdicts = crowd.verdictsOf(listener)
  const songs = await chooser.listen(verdicts)
  const offered = [...verdicts.slice(crowd.elsewhere)].filter((verdict) => verdict !== '-')
  return {
    songs,
    bangers: songs.map((song) => verdicts[song] === '1'),
    usual: offered.filter((verdict) => verdict === '1').length / offered.length,
  }
}

/** One row for each chooser, and the goals of the product's. */
function show(all: Record<string, Figures[]>, { name: part, goals, isPushed }: Scene): void {
  const shown = (Object.keys(TITLES) as (keyof Figures)[]).filter(
    (figure) => figure !== 'brigade' || isPushed,
  )
  const values = (name: string, figure: keyof Figures) =>
    (all[name] ?? []).map((figures) => figures[figure] ?? Number.NaN)
  const digitsOf = (figure: keyof Figures) => (figure === 'early' || figure === 'late' ? 2 : 1)
  console.log(`${''.padEnd(20)}${shown.map((figure) => TITLES[figure].padStart(18)).join('')}`)
  for (const name of Object.keys(all)) {
    const cells = shown.map((figure) => withInterval(values(name, figure), digitsOf(figure)).padStart(18))
    console.log(`${name.padEnd(20)}${cells.join('')}`)
  }
  beginPart(part)
  for (const figure of shown) {
    const range = values(HAND, figure)
    judge(`${TITLES[figure]}, mean`, { figure: meanOf(range), range }, goals[figure])
  }
}

async function close(): Promise<void> {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
