/** Where a text stands: a heading, or anything else. Each has its own first font. */
export type FontUse = 'Display' | 'Text'

export type FontWeight = 400 | 500 | 700 | 800

/** A folder of fonts/. */
export interface FontFamily {
  name: string
  /** Texts of the other use try it last. */
  use?: FontUse
  /** Its script: only letters of it are looked up in the family. */
  script?: RegExp
}

/**
 * Chinese, Japanese and Korean fonts have letters of other scripts, too. Common are punctuation and signs; full-width
 * letters count as Latin in Unicode.
 */
const EAST_ASIAN =
  /[\p{Script=Common}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\uff00-\uffef]/u

/** Those that many people write; Unifont has others. To support one better, add it here and to scripts/makeFonts.py. */
const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  // Its signs adorn names, too.
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

/** In lookup order; a family is opened when those before it lack a letter. */
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
  // Has what the Latin, Greek and Cyrillic letters of others lack, and most marks above and below letters.
  { name: 'dejavu-sans' },
  { name: 'biz-udpgothic', script: EAST_ASIAN },
  { name: 'nanum-gothic', script: EAST_ASIAN },
  { name: 'noto-sans-sc', script: EAST_ASIAN },
  { name: 'chocolate-classical-sans', script: EAST_ASIAN },
  // The last resort: coarse letters of the whole basic plane, which it does not join.
  { name: 'unifont' },
]
