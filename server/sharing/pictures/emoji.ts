import satori from 'satori'
import { type Family, type FontFile, filesOf } from './fontFiles.ts'
import { findFile, fontsOf, hasSign } from './fonts.ts'
import { withGlyphs } from './graphemes.ts'
import { INK } from './inks.ts'

const EMOJI: Family = { name: 'noto-emoji', weights: [700], sliced: true }

/**
 * A picture for each emoji, which satori places in the line like a letter. As text, an emoji inside a word would
 * overlap its neighbours.
 */
export async function emojiImages(graphemes: ReadonlySet<string>): Promise<Record<string, string>> {
  const images: Record<string, string> = {}
  let left = MOST
  for (const grapheme of graphemes) {
    const file = fileOf(grapheme)
    if (file && left-- > 0) images[grapheme] = await imageOf(grapheme, file)
  }
  return images
}

/** Different emoji per picture, more than any readable name has. */
const MOST = 40

/** The file with a grapheme's glyphs, or none when it is text. */
function fileOf(grapheme: string): FontFile | undefined {
  const emoji = IS_EMOJI.test(grapheme) ? emojiFile(grapheme) : undefined
  if (emoji) return emoji
  const text = findFile(grapheme)
  if (!text) return emojiFile(grapheme)
  return NEEDS_IMAGE.test(grapheme) ? text : undefined
}

/** What browsers show as an emoji; others, such as ♥ and ©, are text unless followed by U+FE0F. */
const IS_EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}\ufe0f/u

/**
 * Satori chooses a font by the first UTF-16 unit, which code points above U+FFFF share. Mathematical letters share it
 * too, but they are all in one font.
 */
export const NEEDS_IMAGE = /^[\u{10000}-\u{1d3ff}\u{1d800}-\u{10ffff}]/u

/** The file that has all parts of an emoji, which is drawn as one only if they are in the same font. */
function emojiFile(grapheme: string): FontFile | undefined {
  const files = filesOf(EMOJI)
  return (
    files.find((file) => withGlyphs(grapheme, (sign) => hasSign(file, sign)) === grapheme) ??
    findFile(grapheme, [EMOJI])
  )
}

async function imageOf(grapheme: string, file: FontFile): Promise<string> {
  const known = images.get(grapheme)
  if (known) return known
  if (images.size >= 500) images.clear()
  const svg = await satori(
    {
      type: 'div',
      props: {
        style: {
          display: 'flex',
          width: 100,
          height: 100,
          alignItems: 'center',
          justifyContent: 'center',
          fontSize: 80,
          lineHeight: 1,
          color: INK,
        },
        children: withGlyphs(grapheme, (sign) => hasSign(file, sign)),
      },
    } as Parameters<typeof satori>[0],
    { width: 100, height: 100, fonts: fontsOf(file) },
  )
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  images.set(grapheme, image)
  return image
}

const images = new Map<string, string>()
