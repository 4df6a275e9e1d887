import { Resvg } from '@resvg/resvg-js'
import satori from 'satori'
import type { Element } from './element.ts'
import { emojiImages, NEEDS_IMAGE } from './emoji.ts'
import { forgetFontsWhenFull } from './fontFiles.ts'
import { type FontSet, fontsFor, hasSign, type Use } from './fonts.ts'
import { graphemesOf, withGlyphs } from './graphemes.ts'
import { layOut } from './layOut.ts'
import { FORMATS, type Picture } from './picture.ts'

/** The picture as PNG. Blocks its thread for tens of milliseconds: see pictureWorker.ts. */
export async function renderPicture(picture: Picture): Promise<Buffer> {
  forgetFontsWhenFull()
  const page = layOut(picture)
  const graphemes = new Set(wordsOf(page).flatMap(graphemesOf))
  const images = await emojiImages(graphemes)
  const fonts = fontsFor(
    new Set([...graphemes].filter((grapheme) => !images[grapheme]).flatMap((g) => [...g])),
  )
  const svg = await satori(withFonts(page, fonts, images) as Parameters<typeof satori>[0], {
    ...FORMATS[picture.format],
    fonts: fonts.fonts,
    graphemeImages: images,
  })
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
}

function wordsOf({ props: { children = [] } }: Element): string[] {
  return [children].flat().flatMap((child) => (typeof child === 'string' ? child : wordsOf(child)))
}

/** The element with the font families of this picture, without characters that none of them has. */
function withFonts(
  element: Element,
  fonts: FontSet,
  images: Record<string, string>,
  use: Use = 'Text',
): Element {
  const { style = {}, children, ...rest } = element.props
  const own = style.fontFamily === undefined ? use : (style.fontFamily as Use)
  const fitted = (child: Element | string) =>
    typeof child === 'string' ? drawable(child, fonts, images, own) : withFonts(child, fonts, images, own)
  return {
    ...element,
    props: {
      ...rest,
      style: { ...style, ...(style.fontFamily === undefined ? {} : { fontFamily: fonts.families[own] }) },
      ...(children === undefined
        ? {}
        : { children: Array.isArray(children) ? children.map(fitted) : (fitted(children) as string) }),
    },
  }
}

function drawable(words: string, fonts: FontSet, images: Record<string, string>, use: Use): string {
  return graphemesOf(words)
    .map((grapheme) => {
      if (images[grapheme]) return grapheme
      const file = NEEDS_IMAGE.test(grapheme) ? undefined : fonts.find(use, grapheme)
      return withGlyphs(grapheme, (sign) => file !== undefined && hasSign(file, sign))
    })
    .join('')
}
