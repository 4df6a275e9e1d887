import type { FontFile } from './fontFiles.ts'
import { hasCharacter, loadFonts } from './fonts.ts'
import { dropMissingGlyphs } from './graphemes.ts'
import { INK } from './inks.ts'
import { satori } from './satori.ts'

/** Draws a grapheme as a picture, where satori would take it from the wrong font. */
export async function drawGrapheme(grapheme: string, file: FontFile): Promise<string> {
  const known = pictures.get(grapheme)
  if (known) return known
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
