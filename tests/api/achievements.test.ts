import { expect, test } from 'vitest'
import { checkAchievements, listAchievementProgress, listAchievements } from '../../contract/achievements.ts'
import { restartMicrogenre } from '../../contract/discovery.ts'
import { removeRating } from '../../contract/library.ts'
import { reportProgress } from '../../contract/playback.ts'
import type { AchievementType, Rating } from '../../contract/shapes.ts'
import { ACHIEVEMENT_RULES } from '../../server/achievements/achievements.ts'
import {
  backdateAchievements,
  findMicrogenre,
  type MadeMicrogenre,
  makeMicrogenre,
  rate,
  rateOn,
  writeRatings,
} from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'
import { expectRecount } from '../harness/setUpDatabase.ts'
import { setUpService } from '../harness/setUpService.ts'
import { scaled } from '../harness/tier.ts'
import type { Visitor } from '../harness/visitor.ts'

const app = setUpApp()
const ada = setUpListener(app)
/** A second process on the same database, so that two tabs use two pools. */
const other = setUpService(() => app.another())

test('the rules match the specification, also in the database (community-10)', async () => {
  expect(ACHIEVEMENT_RULES).toEqual({
    first_banger: { counter: 'bangers', threshold: 1 },
    microgenre_master: { counter: 'genre_bangers', threshold: 10 },
    streak_5: { counter: 'streak', threshold: 5 },
    streak_10: { counter: 'streak', threshold: 10 },
    streak_25: { counter: 'streak', threshold: 25 },
    explorer: { counter: 'genres', threshold: 5 },
    critic: { counter: 'ratings', threshold: 50 },
    enthusiast: { counter: 'ratings', threshold: 100 },
  })
  const rules = await app.db<{ type: string; counter: string; threshold: number }[]>`
    select type, counter, threshold from achievement_rules`
  expect(Object.fromEntries(rules.map(({ type, ...rule }) => [type, rule]))).toEqual(ACHIEVEMENT_RULES)
})

test.each(Object.keys(ACHIEVEMENT_RULES) as AchievementType[])(
  '%s: nothing before its threshold, one award at it, none after',
  async (type) => {
    const { counter, threshold } = ACHIEVEMENT_RULES[type]
    const step = await SEED_STEPS[counter](ada)
    for (let i = 1; i < threshold; i++) await step(i)
    expect(await namesOf(ada)).not.toContain(type)
    await step(threshold)
    expect((await namesOf(ada)).filter((name) => name === type)).toEqual([type])
    for (let i = 1; i <= 5; i++) await step(threshold + i)

    expect((await namesOf(ada)).filter((name) => name === type)).toEqual([type])
  },
)

/** Steps that raise one counter by one, mixed with ratings that must not raise it. */
const SEED_STEPS: Record<
  (typeof ACHIEVEMENT_RULES)[AchievementType]['counter'],
  (listener: Visitor) => Promise<(i: number) => Promise<unknown>>
> = {
  async bangers(listener) {
    const { id, songs } = await makeMicrogenre(app.db, 20)
    return async (i) => {
      await rate(listener, id, songs[2 * i] ?? '', 'bust')
      await rate(listener, id, songs[2 * i + 1] ?? '', 'banger')
    }
  },
  async genre_bangers(listener) {
    const { id, songs } = await makeMicrogenre(app.db, 40)
    return async (i) => {
      await rate(listener, id, songs[2 * i] ?? '', 'bust')
      await rate(listener, id, songs[2 * i + 1] ?? '', 'banger')
    }
  },
  streak: alternately,
  ratings: alternately,
  async genres(listener) {
    return async (i) => {
      const { id, songs } = await makeMicrogenre(app.db, 3)
      for (const song of songs) await rate(listener, id, song, i % 2 ? 'bust' : 'banger')
    }
  },
}

/** Bangers and busts in turn, alternating between two microgenres. */
async function alternately(listener: Visitor) {
  const genres = [await makeMicrogenre(app.db, 120), await makeMicrogenre(app.db, 120)]
  return async (i: number) => {
    const genre = genres[i % 2]
    await rate(listener, genre?.id ?? '', genre?.songs[i] ?? '', i % 3 ? 'banger' : 'bust')
  }
}

test('rating the same song again does not add to the streak or the count (community-11, community-10)', async () => {
  const { id, songs } = await makeMicrogenre(app.db, 6)
  for (const song of songs.slice(0, 4)) await rate(ada, id, song, 'bust')
  for (const rating of ['bust', 'banger', 'bust', 'bust'] satisfies Rating[]) {
    await rate(ada, id, songs[0] ?? '', rating)
  }
  expect(await namesOf(ada)).toEqual(['first_banger'])
  await rate(ada, id, songs[4] ?? '', 'bust')

  expect(await namesOf(ada)).toEqual(['first_banger', 'streak_5'])
})

test('a bust changed to a banger counts once: the tenth earns microgenre_master', async () => {
  const { id, songs } = await makeMicrogenre(app.db, 11)
  for (const song of songs) await rate(ada, id, song, 'bust')
  for (const song of songs.slice(0, 9)) await rate(ada, id, song, 'banger')
  expect(await namesOf(ada)).not.toContain('microgenre_master')
  await rate(ada, id, songs[9] ?? '', 'banger')

  expect(await namesOf(ada)).toContain('microgenre_master')
})

test('after a restart ratings add to the streak, but not to the number of songs (community-11, community-10, community-13)', async () => {
  const genre = await makeMicrogenre(app.db, 5)
  for (let pass = 1; pass <= 12; pass++) {
    const before = await namesOf(ada)
    await ada.call(restartMicrogenre, { params: { id: genre.id } })
    expect(await namesOf(ada)).toEqual(before)
    await rateOn(ada, genre.id, { rating: pass % 2 ? 'banger' : 'bust' })
  }

  expect(await namesOf(ada)).toEqual(['first_banger', 'streak_10', 'streak_25', 'streak_5'])
})

test('a microgenre that was rated, undone and rated again counts as one of the five', async () => {
  const genres = await makeMicrogenres(5, 2)
  for (const { id, songs } of genres.slice(0, 4)) await rate(ada, id, songs[0] ?? '', 'bust')
  const [first] = genres
  for (let i = 0; i < 3; i++) {
    await ada.call(removeRating, { params: { songId: first?.songs[0] ?? '' } })
    await rate(ada, first?.id ?? '', first?.songs[0] ?? '', 'bust')
  }
  expect(await namesOf(ada)).not.toContain('explorer')
  await rate(ada, genres[4]?.id ?? '', genres[4]?.songs[0] ?? '', 'bust')

  expect(await namesOf(ada)).toContain('explorer')
})

test('microgenre_master: nine bangers and five elsewhere earn none; ten earn one for each microgenre (community-10, community-12)', async () => {
  const [one, two] = await makeMicrogenres(2, 12)
  if (!one || !two) throw new Error('There are two.')
  for (const song of one.songs.slice(0, 9)) await rate(ada, one.id, song)
  for (const song of two.songs.slice(0, 5)) await rate(ada, two.id, song)
  expect(await mastered(ada)).toEqual([])
  await rate(ada, one.id, one.songs[9] ?? '')
  expect(await mastered(ada)).toEqual([{ microgenreName: one.name }])
  for (const song of two.songs.slice(5)) await rate(ada, two.id, song)
  await ada.call(restartMicrogenre, { params: { id: one.id } })
  await rateOn(ada, one.id)

  expect(await mastered(ada)).toEqual([{ microgenreName: one.name }, { microgenreName: two.name }])
})

test('undo and removal never take an achievement away, and it is never earned twice (community-13)', async () => {
  const genre = await makeMicrogenre(app.db, 10)
  await rateOn(ada, genre.id)
  const won = (await ada.call(listAchievements)).body
  expect(won.map(({ type }) => type).sort()).toEqual([
    'first_banger',
    'microgenre_master',
    'streak_10',
    'streak_5',
  ])
  for (const [i, songId] of genre.songs.entries()) {
    await ada.call(removeRating, { params: { songId }, query: i % 2 ? { undo: 'true' } : {} })
  }
  expect((await ada.call(listAchievements)).body).toEqual(won)
  await ada.call(checkAchievements)
  await rateOn(ada, genre.id)

  expect((await ada.call(listAchievements)).body).toEqual(won)
  expect((await ada.call(checkAchievements)).body).toEqual([])
})

test('an achievement has its type, its time and, for microgenre_master, the microgenre (community-13)', async () => {
  const bob = await app.signIn()
  expect((await ada.call(listAchievements)).body).toEqual([])
  await rateOn(ada, (await findMicrogenre(app.db, 'zydeco')).id)
  const { body } = await ada.call(listAchievements)

  expect(body.find(({ type }) => type === 'microgenre_master')).toEqual({
    id: expect.any(String),
    type: 'microgenre_master',
    metadata: { microgenreName: 'Zydeco' },
    createdAt: expect.stringMatching(/Z$/),
  })
  expect((await bob.call(listAchievements)).body).toEqual([])
  expect((await bob.call(checkAchievements)).body).toEqual([])
})

test('community-16: unearned achievements have their progress, the nearest first', async () => {
  const bob = await app.signIn()
  const progressOf = async (listener: Visitor) =>
    (await listener.call(listAchievementProgress)).body.map(({ type, count, threshold, microgenreName }) =>
      [type, `${count} of ${threshold}`, microgenreName].filter(Boolean).join(', '),
    )
  const none = [
    'first_banger, 0 of 1',
    'explorer, 0 of 5',
    'streak_5, 0 of 5',
    'microgenre_master, 0 of 10',
    'streak_10, 0 of 10',
    'streak_25, 0 of 25',
    'critic, 0 of 50',
    'enthusiast, 0 of 100',
  ]
  expect(await progressOf(ada)).toEqual(none)
  const [one, two] = await makeMicrogenres(2, 12)
  if (!one || !two) throw new Error('There are two.')
  await rateOn(ada, one.id, { most: 2 })
  await rateOn(ada, two.id, { most: 5 })
  await rateOn(ada, one.id, { most: 9, rating: 'bust' })

  expect(await progressOf(ada)).toEqual([
    'streak_25, 16 of 25',
    `microgenre_master, 5 of 10, ${two.name}`,
    'explorer, 2 of 5',
    'critic, 16 of 50',
    'enthusiast, 16 of 100',
  ])
  expect(await progressOf(bob)).toEqual(none)
  await rateOn(ada, two.id, { most: 5 })
  expect(await progressOf(ada)).not.toContainEqual(expect.stringContaining('microgenre_master'))
})

test('community-16: progress never exceeds the threshold, and earned achievements stay earned', async () => {
  const { id, songs } = await makeMicrogenre(app.db, 12)
  await rateOn(ada, id, { most: 5 })
  for (const songId of songs) await ada.call(removeRating, { params: { songId } })
  const { body } = await ada.call(listAchievementProgress)
  expect(body.map(({ type }) => type)).not.toContain('streak_5')
  expect(body.map(({ type }) => type)).not.toContain('first_banger')

  const bob = await app.signIn()
  await writeRatings(app.db, bob.id, songs, () => true)
  const progress = (await bob.call(listAchievementProgress)).body
  expect(progress.find(({ type }) => type === 'streak_10')).toMatchObject({ count: 10, threshold: 10 })
})

test('check does not repeat what a progress report returned (playback-20, community-13)', async () => {
  const { id, songs } = await makeMicrogenre(app.db, 5)
  await rateOn(ada, id)
  const progress = { songId: songs[0] ?? '', secondsListened: 5, totalDuration: 10 }
  await backdateAchievements(app.db, ada.id)

  expect((await ada.call(reportProgress, { body: progress })).body.achievement?.type).toBe('first_banger')
  expect(namesIn(await ada.call(checkAchievements))).toEqual(['streak_5'])
  expect((await ada.call(reportProgress, { body: progress })).body.achievement).toBeNull()
})

test('community-13: a progress report right after a rating leaves its achievements together for check', async () => {
  const { id, songs } = await makeMicrogenre(app.db, 5)
  await rateOn(ada, id)
  const progress = { songId: songs[0] ?? '', secondsListened: 5, totalDuration: 10 }

  expect((await ada.call(reportProgress, { body: progress })).body.achievement).toBeNull()
  expect(namesIn(await ada.call(checkAchievements))).toEqual(['first_banger', 'streak_5'])
})

/** Rounds of each race. */
const ROUNDS = scaled(20, 200)

test('two tabs check and report at once, repeatedly: each achievement is returned once (community-13)', async () => {
  const { id: genre, songs } = await makeMicrogenre(app.db, 1)
  const progress = { songId: songs[0] ?? '', secondsListened: 5, totalDuration: 10 }
  const secondTab = ada.at(other.url)
  await rate(ada, genre, songs[0] ?? '', 'bust')
  for (let round = 0; round < ROUNDS; round++) {
    await app.db`delete from achievements where user_id = ${ada.id}`
    await app.db`
      insert into achievements (user_id, type) values (${ada.id}, 'streak_5'), (${ada.id}, 'streak_10')`
    await backdateAchievements(app.db, ada.id)
    const [checks, reports] = await Promise.all([
      Promise.all([ada.call(checkAchievements), secondTab.call(checkAchievements)]),
      Promise.all([
        ada.call(reportProgress, { body: progress }),
        secondTab.call(reportProgress, { body: progress }),
      ]),
    ])
    const earned = [
      ...checks.flatMap(namesIn),
      ...reports.flatMap(({ body }) => (body.achievement ? [body.achievement.type] : [])),
    ]

    expect(earned.toSorted()).toEqual(['streak_10', 'streak_5'])
  }
})

test('the 49th and 50th ratings at once, repeatedly: each listener gets one critic, returned once', async () => {
  const genre = await makeMicrogenre(app.db, 50)
  const rounds = await Promise.all(Array.from({ length: 10 }, () => rateToFiftyInTwoTabs(genre, ROUNDS / 10)))

  expect(rounds.flat()).toHaveLength(ROUNDS)
  expect(rounds.flat().filter((earned) => earned.join() !== 'critic')).toEqual([])
  const criticRows = await app.db`
    select user_id from achievements join listener_stats using (user_id)
    where type = 'critic' and total_ratings = 50 and total_bangers = 1 and streak = 50
      and user_id in (select user_id from ratings where song_id = ${genre.songs[49] ?? ''})`
  expect(criticRows).toHaveLength(ROUNDS)
  expect([...app.errors, ...other.errors]).toEqual([])
  await expectRecount(app.db)
})

/** Listeners with 48 ratings who rate two more in two tabs. Returns the critic awards that the tabs received. */
async function rateToFiftyInTwoTabs(genre: MadeMicrogenre, rounds: number): Promise<string[][]> {
  const earned: string[][] = []
  for (let round = 0; round < rounds; round++) {
    const ada = await app.signIn()
    const secondTab = ada.at(other.url)
    await writeRatings(app.db, ada.id, genre.songs.slice(0, 48))
    const [one = '', two = ''] = genre.songs.slice(48)
    const answers = await Promise.all([
      rate(ada, genre.id, one, 'banger'),
      rate(secondTab, genre.id, two, 'bust'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const checks = await Promise.all([ada.call(checkAchievements), secondTab.call(checkAchievements)])
    earned.push(checks.flatMap(namesIn).filter((type) => type === 'critic'))
  }
  return earned
}

function makeMicrogenres(count: number, songs: number): Promise<MadeMicrogenre[]> {
  return Promise.all(Array.from({ length: count }, () => makeMicrogenre(app.db, songs)))
}

async function namesOf(listener: Visitor): Promise<string[]> {
  return namesIn(await listener.call(listAchievements)).sort()
}

/** The microgenres of the microgenre_master achievements, oldest first. */
async function mastered(listener: Visitor) {
  const { body } = await listener.call(listAchievements)
  return body
    .filter(({ type }) => type === 'microgenre_master')
    .map(({ metadata }) => metadata)
    .reverse()
}

const namesIn = ({ body }: { body: { type: string }[] }) => body.map(({ type }) => type)
