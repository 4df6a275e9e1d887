import { Resvg } from '@resvg/resvg-js'
import satori from 'satori'
import type { Element } from './element.ts'
import { emojiImages } from './emoji.ts'
import { fontsFor } from './fonts.ts'
import { layOut } from './layOut.ts'
import { FORMATS, type Picture } from './picture.ts'

/** The picture as PNG. Takes tens of milliseconds of the thread it runs on: see pictureWorker.ts. */
export async function renderPicture(picture: Picture): Promise<Buffer> {
  const words = JSON.stringify(picture.subject)
  const { fonts, families } = fontsFor(words)
  const svg = await satori(withFamilies(layOut(picture), families) as Parameters<typeof satori>[0], {
    ...FORMATS[picture.format],
    fonts,
    graphemeImages: await emojiImages(words),
  })
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
}

/** `Display` and `Text` written out as the families that this picture needs. */
function withFamilies(element: Element, families: { display: string; text: string }): Element {
  const { style, children, ...rest } = element.props
  const family = style?.fontFamily
  return {
    ...element,
    props: {
      ...rest,
      style: {
        ...style,
        ...(family ? { fontFamily: family === 'Display' ? families.display : families.text } : {}),
      },
      ...(Array.isArray(children)
        ? {
            children: children.map((child) =>
              typeof child === 'string' ? child : withFamilies(child, families),
            ),
          }
        : children === undefined
          ? {}
          : { children }),
    },
  }
}
