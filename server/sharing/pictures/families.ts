/** Headings use Display, other texts Text. Each has its own first font. */
export type FontUse = 'Display' | 'Text'

export type FontWeight = 400 | 500 | 700 | 800

/** A folder of fonts/. */
export interface FontFamily {
  name: string
  /** For the other use it is the last choice. */
  use?: FontUse
  /** Only letters of this script are looked up in the family. */
  script?: RegExp
}

/**
 * Chinese, Japanese and Korean fonts also have letters of other scripts. `Common` is punctuation and symbols;
 * full-width letters count as Latin in Unicode.
 */
const EAST_ASIAN =
  /[\p{Script=Common}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\uff00-\uffef]/u

/** Widely used scripts; Unifont covers others. To support one better, add it here and to scripts/makeFonts.py. */
const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  // Its signs are also used as ornaments.
  'Javanese',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Meetei_Mayek',
  'Myanmar',
  'Ol_Chiki',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thai',
  'Tibetan',
]

/** In lookup order; a family is opened when earlier ones lack a letter. */
export const FAMILIES: readonly FontFamily[] = [
  { name: 'anybody', use: 'Display' },
  { name: 'instrument-sans', use: 'Text' },
  { name: 'noto-sans' },
  { name: 'noto-sans-symbols' },
  // Its Arabic letters do not join.
  { name: 'noto-sans-math', script: /\p{Script=Common}/u },
  { name: 'noto-sans-symbols-2' },
  { name: 'noto-music' },
  ...SCRIPTS.map((script) => ({
    name: `noto-${script === 'Tibetan' ? 'serif' : 'sans'}-${script.toLowerCase().replace('_', '-')}`,
    script: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
  })),
  // Has rare Latin, Greek and Cyrillic letters, and most combining marks.
  { name: 'dejavu-sans' },
  { name: 'biz-udpgothic', script: EAST_ASIAN },
  { name: 'nanum-gothic', script: EAST_ASIAN },
  { name: 'noto-sans-sc', script: EAST_ASIAN },
  { name: 'chocolate-classical-sans', script: EAST_ASIAN },
  // The last resort: coarse, unjoined letters of the whole basic plane.
  { name: 'unifont' },
]
