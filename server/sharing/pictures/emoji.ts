import satori from 'satori'
import { emojiFont } from './fonts.ts'
import { INK } from './inks.ts'

/**
 * A picture for each emoji in the words, which satori sets into the line like a letter. Set as text, an emoji in
 * the middle of a word pushes its neighbours away.
 */
export async function emojiImages(words: string): Promise<Record<string, string>> {
  const graphemes = [...new Set([...segmenter.segment(words)].map(({ segment }) => segment))]
  const emoji = graphemes.filter((grapheme) => IS_EMOJI.test(grapheme)).slice(0, MOST)
  const images: Record<string, string> = {}
  for (const grapheme of emoji) images[grapheme] = await imageOf(grapheme)
  return images
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const IS_EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}\ufe0f|\p{Extended_Pictographic}/u

/** Different ones that one picture draws; no name that was meant to be read has more. */
const MOST = 40

async function imageOf(grapheme: string): Promise<string> {
  const known = images.get(grapheme)
  if (known) return known
  if (images.size >= 500) images.clear()
  fonts ??= emojiFont()
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
        children: grapheme,
      },
    } as Parameters<typeof satori>[0],
    { width: 100, height: 100, fonts },
  )
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  images.set(grapheme, image)
  return image
}

const images = new Map<string, string>()
let fonts: ReturnType<typeof emojiFont> | undefined
