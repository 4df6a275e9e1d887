import sharp from 'sharp'
import type { Element } from './element.ts'
import { emojiPicture, expandGrapheme } from './emoji.ts'
import type { FontUse } from './families.ts'
import { evictFontsWhenFull } from './fontFiles.ts'
import { type Font, hasCharacter, selectFonts } from './fonts.ts'
import { drawGrapheme } from './graphemePicture.ts'
import { dropMissingGlyphs, splitGraphemes, withLineBreaks } from './graphemes.ts'
import { layOut } from './layOut.ts'
import { FORMATS, type Picture } from './picture.ts'
import { satori } from './satori.ts'

/** The picture as PNG. Blocks its thread for tens of milliseconds: see pictureWorker.ts. */
export async function renderPicture(picture: Picture): Promise<Buffer> {
  return sharp(Buffer.from(await drawPicture(picture)))
    .png()
    .toBuffer()
}

// As for photos.
sharp.concurrency(1)
sharp.cache(false)

/** The picture as SVG, with letters as paths. */
export async function drawPicture(picture: Picture): Promise<string> {
  evictFontsWhenFull()
  const assets: Assets = { fonts: new Map(), images: {} }
  const page = await prepareElement(layOut(picture), assets)
  return satori(page as Parameters<typeof satori>[0], {
    ...FORMATS[picture.format],
    fonts: [...assets.fonts.values()],
    graphemeImages: assets.images,
  })
}

/** Fonts and pictures that the texts need. */
interface Assets {
  /** By name and weight. */
  fonts: Map<string, Font>
  /** By grapheme: images that satori places inline like letters. */
  images: Record<string, string>
}

/** Different emoji per text: more than any readable name has. */
const MAX_EMOJI = 100

/** The element with texts that can be drawn, and their font families. */
async function prepareElement(element: Element, assets: Assets): Promise<Element> {
  const { style: { fontFamily, ...style } = {}, children, ...rest } = element.props
  if (typeof children === 'string') {
    const { words, families } = await prepareText(
      children,
      (fontFamily as FontUse | undefined) ?? 'Text',
      assets,
    )
    return {
      ...element,
      props: { ...rest, style: { ...style, fontFamily: families }, children: words },
    }
  }
  const preparedChildren: Element[] = []
  for (const child of children ?? []) preparedChildren.push(await prepareElement(child, assets))
  return { ...element, props: { ...rest, style, ...(children && { children: preparedChildren }) } }
}

/** The text without characters that no font has, and its font families. */
async function prepareText(
  words: string,
  use: FontUse,
  assets: Assets,
): Promise<{ words: string; families: string }> {
  const graphemes = splitGraphemes(words).flatMap(expandGrapheme)
  const different = [...new Set(graphemes)]
  const emoji = new Map(
    different
      .flatMap((grapheme) => {
        const picture = emojiPicture(grapheme)
        return picture ? [[grapheme, picture] as const] : []
      })
      .slice(0, MAX_EMOJI),
  )
  const fonts = selectFonts(different, use, new Set(emoji.keys()))
  for (const font of fonts.fonts) assets.fonts.set(`${font.name} ${font.weight}`, font)
  Object.assign(assets.images, Object.fromEntries(emoji))
  for (const grapheme of different) {
    const file = fonts.fileOf(grapheme)
    if (file && fonts.isMisplaced(grapheme)) {
      assets.images[grapheme] = await drawGrapheme(grapheme, file)
    }
  }
  const drawable = graphemes.map((grapheme) => {
    if (assets.images[grapheme]) return grapheme
    const file = fonts.fileOf(grapheme)
    return dropMissingGlyphs(grapheme, (character) => file !== undefined && hasCharacter(file, character))
  })
  return { words: withLineBreaks(drawable.join('')), families: fonts.families }
}
