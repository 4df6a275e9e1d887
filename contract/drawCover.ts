/** One of the four inks of a cover, `--cover-1` … `--cover-4`. */
export type Ink = 1 | 2 | 3 | 4

export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: Ink }
  | { kind: 'circle'; cx: number; cy: number; r: number; fill: Ink }
  | { kind: 'ring'; cx: number; cy: number; r: number; stroke: Ink; width: number }
  | { kind: 'path'; d: string; transform?: string; fill: Ink; stroke?: Ink; width?: number }

/**
 * The drawn cover of a song without art, on a field of 96 by 96: same title, same drawing.
 *
 * The title's letters are the score: each letter is a value from 0 to 1, and the drawing reads them in order,
 * over and over. A hash of the title picks one of eight drawings and one of five orders of the inks.
 */
export function drawCover(title: string): Shape[] {
  const score = lettersOf(title)
  const hash = hashOf(title)
  const [ground, ...inks] = pick(inkOrders, hash >>> 8)
  const draw = pick(drawings, hash)
  const at = (i: number) => score[i % score.length] ?? 0.5
  return [rect(0, 0, 96, 96, ground), ...draw(at, { ground, a: inks[0], b: inks[1], c: inks[2] }, hash)]
}

const inkOrders: readonly [InkOrder, ...InkOrder[]] = [
  [1, 2, 3, 4],
  [2, 1, 4, 3],
  [3, 1, 4, 2],
  [4, 2, 1, 3],
  [1, 3, 2, 4],
]

type InkOrder = readonly [Ink, Ink, Ink, Ink]

interface Inks {
  ground: Ink
  a: Ink
  b: Ink
  c: Ink
}

type Drawing = (at: (i: number) => number, inks: Inks, hash: number) => Shape[]

/** Six by six dots, each as large as its letter is late in the alphabet. */
const dots: Drawing = (at, { a, b, c }) =>
  grid(6, (x, y, i) => {
    const ink = at(i) > 0.72 ? c : (x + y) % 5 ? a : b
    return [circle(8 + x * 16, 8 + y * 16, 1.6 + at(i) * 6, ink)]
  })

/** Twelve columns standing on the ground line, each as high as its letter. */
const bars: Drawing = (at, { a, b, c }) =>
  times(12, (i) => {
    const height = 12 + Math.round(at(i) * 9) * 8
    return [rect(i * 8, 96 - height, 8.2, height, i % 3 === 1 ? b : a), rect(i * 8, 96 - height, 8.2, 2.5, c)]
  })

/** A record cut by the edge: rings of uneven weight around a label. */
const grooves: Drawing = (at, { a, b, c }, hash) => {
  const cx = hash & 16 ? 96 : 48
  const cy = hash & 32 ? 96 : 58
  const rings = times(9, (i): Shape[] => [
    { kind: 'ring', cx, cy, r: 24 + i * 9, stroke: a, width: round(1 + at(i) * 6.5) },
  ])
  return [...rings, circle(cx, cy, 17, b), circle(cx, cy, 4 + at(2) * 5, c)]
}

/** A disc behind slats that grow heavier toward the ground. */
const sun: Drawing = (at, { ground, a, b }, hash) => {
  const slats = times(8, (i) => [rect(0, 34 + i * 8, 96, 0.8 + i * 0.55 + at(i) * 2.4, ground)])
  return [circle(34 + (hash % 29), 46, 33, hash & 8 ? a : b), ...slats, rect(0, 86, 96, 10, a)]
}

/** Quarter discs in a four by four field, turned by their letters. */
const quarters: Drawing = (at, { a, b, c }) =>
  grid(4, (x, y, i) => {
    const ink = pick([a, b, a, c], Math.floor(at(i + 3) * 3.99))
    const turn = Math.floor(at(i) * 3.99) * 90
    const transform = `translate(${x * 24} ${y * 24}) rotate(${turn} 12 12)`
    return [{ kind: 'path', d: 'M0 0H24A24 24 0 0 1 0 24Z', transform, fill: ink, stroke: ink, width: 0.3 }]
  })

/** Hills one behind the other, each a phrase of the title. */
const ridges: Drawing = (at, { ground, a, b, c }) =>
  times(9, (row) => {
    const foot = 26 + row * 8.5
    const points = Array.from({ length: 9 }, (_, i) => {
      const swell = 1 - Math.abs(i - 4) / 4.6
      return `L${i * 12} ${round(foot - at(row * 3 + i) * 22 * swell * swell)}`
    })
    const d = `M-2 ${foot} ${points.join(' ')} L98 ${foot} V98 H-2Z`
    return [{ kind: 'path', d, fill: ground, stroke: row % 4 === 1 ? c : row % 2 ? b : a, width: 1.6 }]
  })

/** Slanted beams of uneven width. */
const beams: Drawing = (at, { a, b, c }) => {
  let x = -60
  return times(11, (i) => {
    const width = 3 + at(i) * 13
    const d = `M${round(x)} 96 L${round(x + 56)} 0 h${round(width)} L${round(x + width)} 96Z`
    x += width + 3 + at(i + 5) * 8
    return [{ kind: 'path', d, fill: pick([a, b, a, c], i) }]
  })
}

/** Four blocks around a crossing set by the first two letters, and one disc. */
const blocks: Drawing = (at, { a, b, c }) => {
  const x = 24 + Math.round(at(0) * 6) * 8
  const y = 24 + Math.round(at(1) * 6) * 8
  const r = 9 + at(2) * 15
  return [
    rect(0, 0, x, y, a),
    rect(x, y, 96 - x, 96 - y, b),
    circle(x, y, r, c),
    rect(0, y - 1, 96, 2, a),
    circle(x, y, r / 3, a),
  ]
}

const drawings = [dots, bars, grooves, sun, quarters, ridges, beams, blocks] as const

/** Letters and figures of the title as values from 0 to 1; other scripts count by their code points. */
function lettersOf(title: string): number[] {
  const plain = [...title.normalize('NFKD').toLowerCase()].filter((sign) => /[\p{L}\p{N}]/u.test(sign))
  const values = plain.map((sign) => (((sign.codePointAt(0) ?? 0) - 97 + 260_000) % 26) / 25)
  return values.length > 0 ? values : [0.5]
}

/** FNV-1a, folded. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

const times = (n: number, piece: (i: number) => Shape[]) =>
  Array.from({ length: n }, (_, i) => piece(i)).flat()
const grid = (n: number, piece: (x: number, y: number, i: number) => Shape[]) =>
  times(n * n, (i) => piece(i % n, Math.floor(i / n), i))
const round = (value: number) => Math.round(value * 10) / 10
const pick = <T>(list: readonly [T, ...T[]], i: number): T => list[i % list.length] ?? list[0]

function rect(x: number, y: number, width: number, height: number, fill: Ink): Shape {
  return { kind: 'rect', x, y, width: round(width), height: round(height), fill }
}

function circle(cx: number, cy: number, r: number, fill: Ink): Shape {
  return { kind: 'circle', cx, cy, r: round(r), fill }
}
