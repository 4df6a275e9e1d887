import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Font {
  name: string
  weight: 500 | 700 | 800
  style: 'normal'
  data: Buffer
}

/** The fonts of a script. Where a weight is missing the next one stands in: satori would thicken a thin font. */
interface Script {
  pattern: RegExp
  display: string
  text: string
  strong: string
}

/** In the order in which they are asked for a glyph; the first is loaded always. */
const SCRIPTS: Script[] = [
  {
    pattern: /./,
    display: 'anybody/files/anybody-latin-800-normal.woff',
    text: 'instrument-sans/files/instrument-sans-latin-500-normal.woff',
    strong: 'instrument-sans/files/instrument-sans-latin-700-normal.woff',
  },
  {
    pattern: /[\u0100-\u024f\u1e00-\u1eff\u2000-\u20cf]/,
    display: 'anybody/files/anybody-latin-ext-800-normal.woff',
    text: 'instrument-sans/files/instrument-sans-latin-ext-500-normal.woff',
    strong: 'instrument-sans/files/instrument-sans-latin-ext-700-normal.woff',
  },
  script(/[\u0100-\u02ff\u1e00-\u1eff\ua720-\ua7ff]/, 'noto-sans', 'latin-ext', [800, 500, 700]),
  script(/[\u0300-\u03ff]/, 'noto-sans', 'greek', [800, 500, 700]),
  script(/[\u0400-\u04ff]/, 'noto-sans', 'cyrillic', [800, 500, 700]),
  script(/[\u0400-\u052f\u2de0-\u2dff\ua640-\ua69f]/, 'noto-sans', 'cyrillic-ext', [800, 500, 700]),
  script(/[\u0900-\u097f]/, 'noto-sans', 'devanagari', [800, 500, 700]),
  script(/[\u0300-\u0303\u1ea0-\u1ef9]/, 'noto-sans', 'vietnamese', [800, 500, 700]),
  script(/[\u0590-\u05ff\ufb1d-\ufb4f]/, 'noto-sans-hebrew', 'hebrew', [800, 500, 700]),
  // Satori does not place marks: in Noto Sans Arabic the dots of letters are marks, in Cairo they are not.
  script(/[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufeff]/, 'cairo', 'arabic', [800, 500, 700]),
  script(/[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/, 'biz-udpgothic', 'japanese', [700, 400, 700]),
  script(/[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/, 'nanum-gothic', 'korean', [800, 400, 700]),
]

/** Emoji are drawn one by one, see emoji.ts. */
export const emojiFont = () => [font('Emoji', 500, 'noto-emoji/files/noto-emoji-emoji-700-normal.woff')]

export interface FontSet {
  fonts: Font[]
  /** The families `Display` and `Text` with what stands in for them, for `font-family`. */
  families: { display: string; text: string }
}

/** The fonts that these words need. Same scripts, same value: satori reads a list of fonts once. */
export function fontsFor(words: string): FontSet {
  const needed = SCRIPTS.flatMap(({ pattern }, index) => (index === 0 || pattern.test(words) ? [index] : []))
  const key = needed.join()
  const known = sets.get(key)
  if (known) return known
  if (sets.size >= MOST_SETS) sets.clear()
  const made = makeSet(needed)
  sets.set(key, made)
  return made
}

const sets = new Map<string, FontSet>()
const MOST_SETS = 16

function makeSet(needed: number[]): FontSet {
  const fonts = needed.flatMap((index) => {
    const script = SCRIPTS[index] as Script
    return [
      font(`Display${index}`, 800, script.display),
      font(`Text${index}`, 500, script.text),
      font(`Text${index}`, 700, script.strong),
    ]
  })
  const list = (family: string) => needed.map((index) => `${family}${index}`).join(', ')
  return { fonts, families: { display: list('Display'), text: list('Text') } }
}

function script(
  pattern: RegExp,
  name: string,
  subset: string,
  [display, text, strong]: [number, number, number],
): Script {
  const file = (weight: number) => `${name}/files/${name}-${subset}-${weight}-normal.woff`
  return { pattern, display: file(display), text: file(text), strong: file(strong) }
}

function font(name: string, weight: Font['weight'], file: string): Font {
  return { name, weight, style: 'normal', data: read(file) }
}

function read(file: string): Buffer {
  const known = files.get(file)
  if (known) return known
  const data = readFileSync(require.resolve(`@fontsource/${file}`))
  files.set(file, data)
  return data
}

const files = new Map<string, Buffer>()
const require = createRequire(import.meta.url)
