import { box, type Element, image, text } from './element.ts'
import { LINE } from './inks.ts'
import { wordmark } from './svg.ts'
import { WORDMARK } from './wordmark.ts'

/** The wordmark. */
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
