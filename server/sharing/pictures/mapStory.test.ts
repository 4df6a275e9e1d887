import { expect, test } from 'vitest'
import { accentOf } from './inks.ts'
import type { MapPlace } from './picture.ts'
import { drawPicture } from './renderPicture.ts'

/* The own map of microgenres as a picture (discover-89). */

const NAMES = ['Aboriginal rock', 'Japanese city pop', 'Australian pub rock', '日曜日', 'موسيقى']

const places = (bangers = 0, ratings = bangers): MapPlace[] =>
  NAMES.map((name, k) => ({ name, color: '#c45b7c', x: k % 3, y: k, ratings, bangers }))

const draw = (all: MapPlace[]) =>
  drawPicture({ format: 'story', subject: { kind: 'map', places: all, creator: 'Mina' }, site: 'b.example' })

/** The drawings in the picture, decoded. */
const dotsOf = (svg: string) =>
  [...svg.matchAll(/data:image\/svg\+xml;base64,([^"]+)/g)]
    .map(([, content = '']) => Buffer.from(content, 'base64').toString())
    .flatMap((drawing) => drawing.match(/<circle [^>]+>/g) ?? [])

test('discover-89: dots with bangers have their colour, and the more bangers the larger', async () => {
  const accent = accentOf('#c45b7c')
  expect(dotsOf(await draw(places())).filter((dot) => dot.includes(accent))).toEqual([])
  const [few, many] = await Promise.all([draw(places(1)), draw(places(5))])
  const largest = (svg: string) =>
    Math.max(...dotsOf(svg).map((dot) => Number(/ r="([\d.]+)"/.exec(dot)?.[1])))
  expect(dotsOf(few).filter((dot) => dot.includes(accent))).toHaveLength(2 * NAMES.length)
  expect(largest(many)).toBeGreaterThan(largest(few))
})

test('discover-89: a rated microgenre differs from an unheard one', async () => {
  const [unheard, rated] = await Promise.all([draw(places()), draw(places(0, 2))])
  expect(dotsOf(rated)).not.toEqual(dotsOf(unheard))
})

test('discover-89: an empty map and one of a single microgenre are drawn, too', async () => {
  expect(dotsOf(await draw([]))).toEqual([])
  expect(dotsOf(await draw(places().slice(0, 1)))).toHaveLength(1)
})
