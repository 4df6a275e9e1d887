import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type library from 'satori'
import sharp from 'sharp'
import type { Element } from './element.ts'
import { emojiPicture, expandGrapheme } from './emoji.ts'
import type { FontUse } from './families.ts'
import { evictFontsWhenFull, type FontFile } from './fontFiles.ts'
import { type Font, hasCharacter, loadFonts, selectFonts } from './fonts.ts'
import { dropMissingGlyphs, splitGraphemes, withLineBreaks } from './graphemes.ts'
import { INK } from './inks.ts'
import { layOut } from './layOut.ts'
import { FORMATS, type Picture } from './picture.ts'

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

/** Draws a grapheme as a picture, where satori would take it from the wrong font. */
async function drawGrapheme(grapheme: string, file: FontFile): Promise<string> {
  const cached = pictures.get(grapheme)
  if (cached) return cached
  if (pictures.size >= 500) pictures.clear()
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
        children: dropMissingGlyphs(grapheme, (character) => hasCharacter(file, character)),
      },
    } as Parameters<typeof satori>[0],
    { width: 100, height: 100, fonts: loadFonts(file) },
  )
  const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  pictures.set(grapheme, picture)
  return picture
}

const pictures = new Map<string, string>()

/*
 * Satori 0.63.2 with one sign changed: HarfBuzz measures a mark's offset upwards, SVG downwards. Remove this when the
 * library is fixed.
 */
const satoriPath = createRequire(import.meta.url).resolve('satori')
const satoriSource = readFileSync(satoriPath, 'utf8').replace(/\+(?=\w+\.dy\*)/, '-')
const satoriModule = { exports: {} as { default: typeof library } }
compileFunction(satoriSource, ['require', 'module', 'exports', '__filename'], { filename: satoriPath })(
  createRequire(satoriPath),
  satoriModule,
  satoriModule.exports,
  satoriPath,
)
export const satori = satoriModule.exports.default
