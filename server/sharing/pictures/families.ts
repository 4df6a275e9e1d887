/** Where a text stands: a heading, or anything else. Each has its own first font. */
export type Use = 'Display' | 'Text'

export type Weight = 400 | 500 | 700 | 800

/** A @fontsource package. */
export interface Family {
  name: string
  /** Without them bold, or normal where there is no bold: satori thickens its outlines. */
  weights?: readonly Weight[]
  /** Texts of the other use try it last. */
  use?: Use
  /** Its script: only letters of it are looked up in the package. */
  script?: RegExp
  /** The package also has the family in many small numbered files, of which a text needs few. */
  sliced?: true
}

/**
 * Chinese, Japanese and Korean fonts have letters of other scripts, too. Common are punctuation and signs; full-width
 * letters count as Latin in Unicode.
 */
const EAST_ASIAN =
  /[\p{Script=Common}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\uff00-\uffef]/u

/**
 * The scripts in use today that Unicode recommends or knows in limited use (https://unicode.org/reports/tr31/#Table_Recommended_Scripts),
 * and old ones whose letters people decorate names with. To support another script, add it and its package.
 */
const SCRIPTS = [
  'Adlam',
  'Arabic',
  'Armenian',
  'Balinese',
  'Bamum',
  'Bengali',
  'Buginese',
  'Canadian_Aboriginal',
  'Cham',
  'Cherokee',
  'Coptic',
  'Cuneiform',
  'Deseret',
  'Egyptian_Hieroglyphs',
  'Ethiopic',
  'Georgian',
  'Glagolitic',
  'Gothic',
  'Gujarati',
  'Gurmukhi',
  'Hanifi_Rohingya',
  'Hebrew',
  'Javanese',
  'Kannada',
  'Kayah_Li',
  'Khmer',
  'Lao',
  'Lepcha',
  'Limbu',
  'Linear_A',
  'Linear_B',
  'Lisu',
  'Malayalam',
  'Meetei_Mayek',
  'Miao',
  'Mongolian',
  'Myanmar',
  'New_Tai_Lue',
  'Newa',
  'Nko',
  'Ogham',
  'Ol_Chiki',
  'Old_Italic',
  'Old_Turkic',
  'Oriya',
  'Osage',
  'Phoenician',
  'Runic',
  'Saurashtra',
  'Sinhala',
  'Sundanese',
  'Syloti_Nagri',
  'Syriac',
  'Tagalog',
  'Tai_Le',
  'Tai_Tham',
  'Tai_Viet',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
  'Tifinagh',
  'Vai',
  'Yi',
]

/** Their packages are not `noto-sans-` and the name of the script. */
const OTHER_PACKAGES: Record<string, string> = {
  Tibetan: 'noto-serif-tibetan',
}

/** In lookup order; a family is opened when those before it lack a letter. */
export const FAMILIES: readonly Family[] = [
  { name: 'anybody', weights: [800], use: 'Display' },
  { name: 'instrument-sans', weights: [500, 700], use: 'Text' },
  { name: 'noto-sans', weights: [700, 800] },
  { name: 'noto-sans-symbols' },
  // Its Arabic letters do not join.
  { name: 'noto-sans-math', script: /\p{Script=Common}/u },
  { name: 'noto-sans-symbols-2' },
  { name: 'noto-music' },
  ...SCRIPTS.map((script) => ({
    name: OTHER_PACKAGES[script] ?? `noto-sans-${script.toLowerCase().replaceAll('_', '-')}`,
    script: new RegExp(`\\p{Script_Extensions=${script}}`, 'u'),
  })),
  // Has what the Latin, Greek and Cyrillic letters of others lack, and most marks above and below letters.
  { name: 'dejavu-sans' },
  { name: 'biz-udpgothic', script: EAST_ASIAN, sliced: true },
  { name: 'nanum-gothic', weights: [800], script: EAST_ASIAN, sliced: true },
  { name: 'noto-sans-sc', script: EAST_ASIAN, sliced: true },
  { name: 'chocolate-classical-sans', script: EAST_ASIAN, sliced: true },
]
