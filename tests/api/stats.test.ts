import { expect, test } from 'vitest'
import { restartMicrogenre } from '../../contract/discovery.ts'
import { getDailyStats, getMyStats } from '../../contract/profiles.ts'
import { functions } from '../../server/db/functions.ts'
import { createZoneFinder } from '../../server/profiles/stats.ts'
import { makeMicrogenre, rate, rateOn } from '../factories.ts'
import { setUpApp, setUpListener } from '../harness/setUpApp.ts'

const app = setUpApp()
const ada = setUpListener(app)
const MIDNIGHT = new Date(new Date().toISOString().slice(0, 10)).getTime()

test('a new listener has no figures', async () => {
  expect((await ada.call(getMyStats)).body).toEqual({
    totalBangers: 0,
    totalRatings: 0,
    favoriteMicrogenre: null,
  })
  expect((await ada.call(getDailyStats)).body).toMatchObject({ dailyBangers: 0, dailyRatings: 0 })
})

test('totals are updated at once; the favourite has the most bangers, then comes first by name', async () => {
  const [one, two, three] = [
    await makeMicrogenre(app.db, 3),
    await makeMicrogenre(app.db, 3),
    await makeMicrogenre(app.db, 9),
  ]
  await rateOn(ada, three.id, { rating: 'bust' })
  await rateOn(ada, two.id, { most: 2 })
  expect((await ada.call(getMyStats)).body).toEqual({
    totalBangers: 2,
    totalRatings: 11,
    favoriteMicrogenre: two.name,
  })
  await rateOn(ada, one.id, { most: 2 })

  expect((await ada.call(getMyStats)).body).toEqual({
    totalBangers: 4,
    totalRatings: 13,
    favoriteMicrogenre: one.name,
  })
})

test('today counts each song rated today once', async () => {
  const genre = await makeMicrogenre(app.db, 4)
  const songs = await rateOn(ada, genre.id)
  await ada.call(restartMicrogenre, { params: { id: genre.id } })
  await rate(ada, genre.id, songs[0] ?? '', 'bust')

  expect((await ada.call(getDailyStats)).body).toMatchObject({ dailyBangers: 3, dailyRatings: 4 })
})

test("today is the day in the listener's time zone", async () => {
  const genre = await makeMicrogenre(app.db, 48)
  await rateOn(ada, genre.id)
  // One rating for every half hour of the last day, so that every zone splits them elsewhere.
  const now = Date.now()
  const moments = genre.songs.map((_, i) => new Date(now - i * 1_800_000 - 1000))
  await app.db`
    update ratings r set rated_at = m.at from unnest(${genre.songs}::bigint[], ${moments.map((at) => at.toISOString())}::text[]::timestamptz[]) as m (song, at)
    where r.user_id = ${ada.id} and r.song_id = m.song`

  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Asia/Kolkata',
    'America/New_York',
    'Europe/Kyiv',
    'Etc/UTC',
  ]) {
    const today = dayIn(zone, new Date(now))
    const expected = moments.filter((at) => dayIn(zone, at) === today).length
    const { body } = await ada.call(getDailyStats, { query: { tz: zone } })
    expect(body, zone).toMatchObject({ dailyBangers: expected, dailyRatings: expected })
    const end = Date.now() + body.secondsLeft * 1000
    expect(
      [end - 60_000, end].map((at) => dayIn(zone, new Date(at))),
      zone,
    ).toEqual([today, dayIn(zone, new Date(end + 60_000))])
    expect(dayIn(zone, new Date(end)), zone).not.toBe(today)
  }
})

test.each([
  ['2026-11-28T22:59:59.5Z', 'Europe/Berlin', 1],
  ['2026-11-28T23:00:00Z', 'Europe/Berlin', 24 * 3600],
  ['2026-03-28T23:00:00Z', 'Europe/Berlin', 23 * 3600],
  ['2026-10-24T22:00:00Z', 'Europe/Berlin', 25 * 3600],
  // There it is summer time from midnight on: that day begins at one.
  ['2026-09-06T03:30:00Z', 'America/Santiago', 1800],
  ['2026-04-05T02:30:00Z', 'America/Santiago', 1800 + 3600],
  ['2026-11-28T18:00:00Z', 'Asia/Kolkata', 1800],
])('discover-17: at %s the day of %s lasts %i more seconds', async (moment, zone, secondsLeft) => {
  expect(await app.db`select ${functions}.seconds_left(${moment}::timestamptz, ${zone})`).toEqual([
    { secondsLeft },
  ])
})

test('an unknown time zone counts as UTC', async () => {
  const genre = await makeMicrogenre(app.db, 2)
  const [early = ''] = await rateOn(ada, genre.id)
  await app.db`
    update ratings set rated_at = ${new Date(MIDNIGHT - 1)} where user_id = ${ada.id} and song_id = ${early}`

  // Some builds of PostgreSQL know the last one.
  const [hasPosixRules] = await app.db`select from pg_timezone_names where name = 'posixrules'`
  for (const tz of [
    'Mars/Olympus',
    '',
    '+05:00',
    "UTC'; drop table ratings --",
    '../../etc/passwd',
    ...(hasPosixRules ? [] : ['posixrules']),
  ]) {
    const { status, body } = await ada.call(getDailyStats, { query: { tz } })
    expect([tz, status, body]).toMatchObject([tz, 200, { dailyBangers: 1, dailyRatings: 1 }])
  }
  expect((await ada.call(getDailyStats, { query: { tz: 'x'.repeat(65) } })).status).toBe(400)
})

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['us/pacific', 'America/Los_Angeles'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Asia/Kolkata', 'Asia/Calcutta'],
])('the old or new name %s counts as %s where the database has no other', (sent, name) => {
  const find = createZoneFinder(['UTC', 'Europe/Berlin', name])
  expect([find(sent), find(name), find('Mars/Olympus')]).toEqual([name, name, undefined])
})

test('every time zone that a browser may send is supported', async () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const answers = await Promise.all(zones.map((tz) => ada.call(getDailyStats, { query: { tz } })))

  expect(zones.length).toBeGreaterThan(400)
  expect(zones.filter((_, i) => answers[i]?.status !== 200)).toEqual([])
})

const dayIn = (timeZone: string, at: Date) => at.toLocaleDateString('en-CA', { timeZone })
