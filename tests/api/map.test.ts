import { expect, test } from 'vitest'
import { listMicrogenres } from '../../contract/discovery.ts'
import { getMap, type MappedMicrogenre } from '../../contract/map.ts'
import { getMapStory } from '../../contract/sharing.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { computeAffinities } from '../../server/discovery/affinities.ts'
import { drawMap } from '../../server/discovery/drawMap.ts'
import { distanceOf, MAX_MOVE, MIN_GAP } from '../../server/discovery/layOutMap.ts'
import { findMicrogenre, makeListener, makeMicrogenre, rateOn, writeRatings } from '../factories.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpListener } from '../harness/setUpListener.ts'
import { warmUpPictures } from '../harness/warmUpPictures.ts'

const app = setUpApp()
const ada = setUpListener(app)
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000)

test('discover-80: before the first map is drawn it is empty; then it has every microgenre', async () => {
  expect(await readMap(ada)).toEqual([])

  await drawMap(app.db)
  const map = await readMap(ada)
  const listed = (await ada.call(listMicrogenres)).body
  expect(map.map(({ id, name, description, color }) => ({ id, name, description, color }))).toEqual(
    listed.map(({ id, name, description, color }) => ({ id, name, description, color })),
  )
  expect(leastGap(map)).toBeGreaterThanOrEqual(MIN_GAP - 0.001)
})

test('discover-82: the map tells the own ratings and bangers in each, and nothing of others', async () => {
  const bob = await app.signIn()
  const bossa = await findMicrogenre(app.db, 'bossa-nova')
  await rateOn(ada, bossa.id, { most: 3 })
  await rateOn(ada, bossa.id, { most: 1, rating: 'bust' })

  const own = (await readMap(ada)).filter(({ ratings }) => ratings > 0)
  expect(own).toMatchObject([{ id: bossa.id, ratings: 4, bangers: 3 }])
  expect((await readMap(bob)).filter(({ ratings, bangers }) => ratings + bangers > 0)).toEqual([])
  expect((await app.visitor().call(getMap)).status).toBe(401)
})

test('discover-81: drawn again on the same day, or by two at once, nothing changes', async () => {
  const before = await rows()
  await Promise.all([drawMap(app.db), drawMap(app.db)])
  expect(await rows()).toEqual(before)

  // On the next day the places are the same, because the data is.
  await drawMap(app.db, dayAfter(1))
  expect(await rows()).toEqual(before.map((row) => ({ ...row, day: dayAfter(1).toISOString().slice(0, 10) })))
})

test('discover-80, discover-81: who have listeners in common come nearer day by day, a little each', async () => {
  const find = (key: string) => findMicrogenre(app.db, key)
  const [dungeon, bossa, footwork, zydeco] = [
    await find('dungeon-synth'),
    await find('bossa-nova'),
    await find('footwork'),
    await find('zydeco'),
  ]
  for (const both of [
    [dungeon, bossa],
    [footwork, zydeco],
  ])
    for (let n = 0; n < 12; n++) {
      const songs = both.flatMap((microgenre) => microgenre.songs.slice(0, 2))
      await writeRatings(app.db, await makeListener(app.db), songs, () => true)
    }
  await rollUp(app.db)
  await computeAffinities(app.db)

  let map = await readMap(ada)
  const apart = () => distanceOf(findIn(map, dungeon.id), findIn(map, bossa.id))
  const first = apart()
  for (let day = 2; day < 30; day++) {
    const before = map
    await drawMap(app.db, dayAfter(day))
    map = await readMap(ada)
    for (const place of map)
      expect(distanceOf(place, findIn(before, place.id))).toBeLessThanOrEqual(MAX_MOVE + 0.002)
  }
  expect(apart()).toBeLessThan(first)
})

test('discover-81: a new microgenre is on the map within the hour, and a retired one is not', async () => {
  const made = await makeMicrogenre(app.db, 2)
  const before = await readMap(ada)
  await drawMap(app.db, dayAfter(29))
  const map = await readMap(ada)
  expect(map).toHaveLength(before.length + 1)
  expect(map.map(({ id }) => id)).toContain(made.id)

  await app.db`update microgenres set retired_at = now() where id = ${made.id}`
  expect((await readMap(ada)).map(({ id }) => id)).not.toContain(made.id)
  await drawMap(app.db, dayAfter(29))
  expect(await rows()).toHaveLength(before.length)
})

test("discover-89: the picture shows the caller's own map, also before the first map, and is for nobody else", async () => {
  const bob = await app.signIn()
  await warmUpPictures(ada)
  const picture = async (listener: Listener) => {
    const { status, headers, text } = await listener.raw(getMapStory.path)
    expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      status: 200,
      type: 'image/png',
      cache: 'no-store',
    })
    return text
  }
  const before = await picture(ada)
  expect(await picture(bob)).toBe(before)
  await rateOn(ada, (await findMicrogenre(app.db, 'bossa-nova')).id, { most: 2 })
  expect(await picture(ada)).not.toBe(before)

  await app.db`delete from microgenre_places`
  await picture(bob)
  expect((await app.visitor().raw(getMapStory.path)).status).toBe(401)
})

type Listener = Awaited<ReturnType<typeof app.signIn>>

const readMap = async (listener: Listener): Promise<MappedMicrogenre[]> => (await listener.call(getMap)).body

const rows = () =>
  app.db<{ microgenreId: string; x: number; y: number; day: string }[]>`
    select microgenre_id, x, y, drawn_on::text as day from microgenre_places order by microgenre_id`

function findIn(map: readonly MappedMicrogenre[], id: string): MappedMicrogenre {
  const found = map.find((one) => one.id === id)
  if (!found) throw new Error(`The map has no microgenre ${id}.`)
  return found
}

const leastGap = (map: readonly MappedMicrogenre[]) =>
  Math.min(...map.flatMap((one, i) => map.slice(0, i).map((other) => distanceOf(one, other))))
