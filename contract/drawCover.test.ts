import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawCover } from './drawCover.ts'

describe('drawCover', () => {
  test('draws the same title the same way', () => {
    expect(drawCover('It All Feels Right')).toEqual(drawCover('It All Feels Right'))
  })

  test('draws different titles differently', () => {
    const titles = [
      'Never Meant',
      'When the Sun Hits',
      'Acid Tracks',
      'Silver Soul',
      'Retrograde',
      'Tonto',
      'Alpha',
    ]
    const drawings = new Set(titles.map((title) => JSON.stringify(drawCover(title))))
    expect(drawings.size).toBe(titles.length)
  })

  test('covers the whole field first', () => {
    expect(drawCover('x')[0]).toMatchObject({ kind: 'rect', x: 0, y: 0, width: 96, height: 96 })
  })

  test('draws any title: empty, other scripts, emoji', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        const drawing = drawCover(title)
        expect(drawing.length).toBeGreaterThan(1)
        expect(JSON.stringify(drawing)).not.toMatch(/null|NaN|undefined/)
      }),
      { seed: 20_261_121 },
    )
  })
})
