import { createHash } from 'node:crypto'
import type { Queryable } from '../db/connection.ts'
import { foldName, slugOf } from './spelling.ts'

/** Finds microgenres by key or name, ignoring case, spaces and hyphens. */
export class MicrogenreNames {
  private readonly ids = new Map<string, string>()
  private readonly colors = new Set<string>()

  static async read(db: Queryable): Promise<MicrogenreNames> {
    const names = new MicrogenreNames()
    for (const row of await db<Row[]>`select id, key, name, color from microgenres order by id`)
      names.add(row)
    return names
  }

  find(name: string): string | undefined {
    return this.ids.get(foldName(name))
  }

  /**
   * Creates microgenres by name, at most `limit`. Each gets a legible colour and no tags, so the questionnaire does
   * not recommend it before it is described.
   */
  async create(db: Queryable, wanted: Iterable<string>, limit: number): Promise<number> {
    const newNames = new Map<string, string>()
    for (const name of wanted)
      if (!this.find(name) && newNames.size < limit) newNames.set(foldName(name), name)
    if (newNames.size === 0) return 0
    const entries = [...newNames.values()].map((name) => {
      const color = deriveColor(name, this.colors)
      this.colors.add(color)
      return { key: microgenreKey(name), name, color, description: placeholderDescription(name) }
    })
    const rows = await db<Row[]>`
      insert into microgenres (key, name, family, description, color, energy, vocals, familiarity, mood)
      select key, name, 'unsorted', description, color, '{}', '{}', '{}', '{}'
      from jsonb_to_recordset(${db.json(entries)}) as i (key text, name text, description text, color text)
      returning id, key, name, color`
    rows.forEach((row) => void this.add(row))
    return rows.length
  }

  private add({ id, key, name, color }: Row): void {
    this.ids.set(foldName(key), id)
    if (!this.ids.has(foldName(name))) this.ids.set(foldName(name), id)
    this.colors.add(color)
  }
}

interface Row {
  id: string
  key: string
  name: string
  color: string
}

/** A key, also for names without Latin letters. */
export const microgenreKey = (name: string) =>
  slugOf(name) || `m-${createHash('sha256').update(foldName(name)).digest('hex').slice(0, 8)}`

const placeholderDescription = (name: string) =>
  `Imported songs of the microgenre ${name}, which has no description yet.`

/** Luminance with enough contrast (WCAG): 3.8:1 on the light background, about 4:1 on the dark one. */
const TARGET_LUMINANCE = 0.2
const SATURATION = 0.5

/** A colour derived from a microgenre's name, and not in `taken`. */
export function deriveColor(name: string, taken: ReadonlySet<string>): string {
  const start = createHash('sha256').update(name).digest().readUInt16BE(0) % 360
  // When all 360 hues are taken, a colour repeats.
  for (let turn = 0; turn < 360; turn++) {
    const color = hexOf((start + turn * 47) % 360)
    if (!taken.has(color)) return color
  }
  return hexOf(start)
}

/** The hue at TARGET_LUMINANCE, by bisection: at the same lightness blue is much darker than yellow. */
function hexOf(hue: number): string {
  let [low, high] = [0, 1]
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2
    if (luminanceOf(channelsOf(hue, middle)) < TARGET_LUMINANCE) low = middle
    else high = middle
  }
  const channels = channelsOf(hue, high).map((value) =>
    Math.round(value * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${channels.join('')}`
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function channelsOf(hue: number, lightness: number): number[] {
  const reach = SATURATION * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30) % 12
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  })
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
