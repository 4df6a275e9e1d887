import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { renderPicture } from './renderPicture.ts'

test.each([
  ['stars, notes, arrows and mathematics', '★♫♪→✓∞𝓢𝄞'],
  ['simplified Chinese', '简让们'],
  ['Thai, Tamil, Georgian, Armenian and Bengali', 'ไதქժব'],
])('%s: every sign is drawn, none as the empty box of a missing glyph', async (_, words) => {
  const signs = [...words]
  const pictures = await Promise.all([' ', ...signs].map(pictureOf))

  // A box would look the same for each sign.
  expect(new Set(pictures).size).toBe(signs.length + 1)
})

test('a sign that no font has is left out, and the words around it stay', async () => {
  expect(await pictureOf('\u{12000}\ue000\u0007\ud800')).toBe(await pictureOf(' '))
  expect(await pictureOf('So\u{12000}ft\ue000')).toBe(await pictureOf('Soft'))
})

/** Equal for equal pictures. */
async function pictureOf(name: string): Promise<string> {
  const genres = [{ name: 'chillwave', color: '#35b5b0' }]
  const subject = { kind: 'collection' as const, name, genres, creator: 'Mina' }
  const png = await renderPicture({ format: 'preview', subject })
  return createHash('sha256').update(png).digest('hex')
}
