import { LINE } from './inks.ts'
import { WORDMARK, wordmark } from './svg.ts'

/** Satori's replacement for React elements. */
export interface Element {
  type: 'div' | 'img'
  props: { style?: Style; children?: Element[] | string; dir?: 'ltr' | 'rtl'; src?: string }
}

type Style = Record<string, string | number>

export const box = (style: Style, ...children: (Element | null)[]): Element => ({
  type: 'div',
  props: {
    style: { display: 'flex', boxSizing: 'border-box', ...style },
    children: children.filter((child) => child !== null),
  },
})

export const column = (style: Style, ...children: (Element | null)[]): Element =>
  box({ flexDirection: 'column', ...style }, ...children)

export const image = (src: string, width: number, height: number, style: Style = {}): Element => ({
  type: 'img',
  props: { src, style: { width, height, ...style } },
})

/** A text of at most `lines` lines, cut with an ellipsis, in the direction of its first letter. */
export const text = (words: string, lines: number, style: Style): Element => ({
  type: 'div',
  props: {
    dir: isRightToLeft(words) ? 'rtl' : 'ltr',
    style: { display: 'block', lineClamp: lines, wordBreak: 'break-word', ...style },
    children: words,
  },
})

/** Hebrew, Arabic and related scripts. */
export function isRightToLeft(words: string): boolean {
  const letter = /\p{L}/u.exec(words)?.[0]
  return letter !== undefined && RIGHT_TO_LEFT.test(letter)
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

export const brand = (height: number) =>
  image(wordmark(), (height * WORDMARK.width) / WORDMARK.height, height)

/** The wordmark and the site's address, side by side where there is room. */
export function footer(site: string): Element {
  const isShort = site.length <= 24
  const size = isShort ? 36 : Math.min(36, 1600 / site.length)
  return box(
    {
      flexDirection: isShort ? 'row' : 'column',
      alignItems: isShort ? 'center' : 'flex-start',
      justifyContent: 'space-between',
      gap: 20,
      paddingTop: 40,
      borderTop: `3px solid ${LINE}`,
    },
    brand(46),
    text(site, 1, { fontSize: size, fontWeight: 700 }),
  )
}
