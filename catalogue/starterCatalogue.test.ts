import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { luminanceOf } from '../tests/pictures.ts'
import { genreColors } from '../web/landing/genreColors.ts'
import { readCatalogue } from './readCatalogue.ts'

const { microgenres, songs, version } = readCatalogue(import.meta.dirname)

test('a changed catalogue has a higher number: raise it in version.json, and set the hash received below', () => {
  expect(version).toEqual(JSON.parse(readFileSync(join(import.meta.dirname, 'version.json'), 'utf8')))
})

/** The page backgrounds (web/ui/tokens.css). */
const BACKGROUNDS = { dark: '#120f0d', light: '#f6f3ed' }

test('catalogue-22: at least 100 microgenres, 3,000 songs, 25 to 60 in each, and at most five of an artist', () => {
  const sizes = microgenres.map(
    ({ key }) => [key, songs.filter((song) => song.microgenre === key).length] as const,
  )

  expect(microgenres.length).toBeGreaterThanOrEqual(100)
  expect(songs.length).toBeGreaterThanOrEqual(3000)
  expect(sizes.filter(([, size]) => size < 25 || size > 60)).toEqual([])
  const artists = songs.map(({ microgenre, artist }) => `${microgenre}: ${normalize(artist)}`).sort()
  expect(artists.filter((artist, i) => artist === artists[i + 5])).toEqual([])
})

// Of ids, keys and colours the reader makes sure.
test('no song and no microgenre occurs twice, in any spelling', () => {
  for (const values of [
    songs.map(({ artist, title }) => normalize(`${artist} ${title}`)),
    microgenres.map(({ name }) => normalize(name)),
  ]) {
    expect(values.filter((value, i) => values.indexOf(value) !== i)).toEqual([])
  }
})

test.each(Object.entries(BACKGROUNDS))(
  'every colour has enough contrast on the %s background',
  (_, background) => {
    const faint = microgenres
      .map(({ key, color }) => [key, contrast(luminanceOf(color), luminanceOf(background))] as const)
      .filter(([, ratio]) => ratio < 3)

    expect(faint).toEqual([])
  },
)

test('each description is unique and has two sentences', () => {
  const wrong = microgenres.filter(({ description }) => description.split(/(?<=[.!?])\s+(?=\S)/).length !== 2)

  expect(wrong.map(({ key, description }) => [key, description])).toEqual([])
  expect(microgenres.filter(({ description }) => !/[.!?]$/.test(description)).map(({ key }) => key)).toEqual(
    [],
  )
  expect(new Set(microgenres.map(({ description }) => description)).size).toBe(microgenres.length)
})

test('titles and artists have no leftovers of uploads', () => {
  const marked = songs.filter(({ title, artist }) =>
    /official|\blyrics?\b|\bfull album\b|\bHD\b|�|&amp;| - topic$|vevo$/i.test(`${title} / ${artist}`),
  )

  expect(marked.map(({ key }) => key)).toEqual([])
})

test('years are plausible for recordings', () => {
  const thisYear = new Date().getFullYear()

  expect(
    songs.filter(({ year }) => year !== null && (year < 1900 || year > thisYear)).map(({ key }) => key),
  ).toEqual([])
})

test('every answer of the questionnaire fits some microgenre', () => {
  const has = (tags: string[][]) => new Set(tags.flat())

  expect(has(microgenres.map((m) => m.energy))).toEqual(new Set(['slow', 'fast', 'weird']))
  expect(has(microgenres.map((m) => m.vocals))).toEqual(new Set(['vocal', 'instrumental']))
  expect(has(microgenres.map((m) => m.familiarity))).toEqual(new Set(['mainstream', 'indie', 'obscure']))
  expect(has(microgenres.map((m) => m.mood))).toEqual(
    new Set(['ambient', 'emotional', 'rhythmic', 'experimental']),
  )
})

const normalize = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** WCAG 2.2. */
const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

test('pages of visitors show microgenres in their own colours', () => {
  const colors = new Map(microgenres.map(({ name, color }) => [name.toLowerCase(), color]))
  for (const [name, color] of Object.entries(genreColors)) expect(color, name).toBe(colors.get(name))
})
