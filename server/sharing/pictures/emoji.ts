import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findFontFile } from './fonts.ts'
import { dataUrl } from './svg.ts'

/** The graphemes to draw for this one: itself, or the parts of an emoji without a picture, as browsers do. */
export function expandGrapheme(grapheme: string): string[] {
  if (!EMOJI_PATTERN.test(grapheme) || pictureOf(grapheme)) return [grapheme]
  return grapheme
    .split(ZERO_WIDTH_JOINER)
    .map((part) => (pictureOf(part) ? part : part.replace(/\p{Emoji_Modifier}/gu, '')))
    .map((part) => part.replace(/\p{Regional_Indicator}/gu, letterOf))
    .flatMap((part) => (EMOJI_PATTERN.test(part) ? [part] : [...part]))
}

/** The picture of an emoji as a data URL; null for a text. */
export function emojiPicture(grapheme: string): string | null {
  const isText = !/\p{Emoji}/u.test(grapheme) || (!EMOJI_PATTERN.test(grapheme) && findFontFile(grapheme))
  const body = isText ? null : pictureOf(grapheme)
  // A little smaller than a line, like a capital letter with its accent.
  return body ? dataUrl('viewBox="-2 -2 40 40"', body) : null
}

/** What browsers show as an emoji; others, such as ♥ and ©, are text unless U+FE0F follows. */
const EMOJI_PATTERN = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}[\ufe0f\u20e3]/u

const ZERO_WIDTH_JOINER = '\u200d'

/** As on Windows, which shows letters instead of flags. */
const letterOf = (indicator: string) =>
  String.fromCodePoint((indicator.codePointAt(0) ?? 0) - 0x1f1e6 + 'A'.charCodeAt(0))

/** The content of a 36×36 SVG; undefined for text, and for emoji newer than the pictures. */
function pictureOf(grapheme: string): string | undefined {
  pictures ??= readPictures()
  const name = [...grapheme]
    .filter((character) => !/[\ufe0e\ufe0f]/.test(character))
    .map((character) => character.codePointAt(0)?.toString(16).padStart(4, '0'))
    .join('-')
  return pictures.get(name)
}

/** Twemoji (CC BY 4.0), as Iconify packs it: two files instead of four thousand. */
function readPictures(): ReadonlyMap<string, string> {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(require.resolve(`@iconify-json/twemoji/${file}`), 'utf8'))
  const { icons } = read('icons.json') as { icons: Record<string, { body: string }> }
  const names = Object.entries(read('chars.json') as Record<string, string>)
  return new Map(names.map(([codes, name]) => [codes, icons[name]?.body ?? '']))
}

let pictures: ReadonlyMap<string, string> | undefined
const require = createRequire(import.meta.url)
