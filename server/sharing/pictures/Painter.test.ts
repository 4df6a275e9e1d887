import { expect, test } from 'vitest'
import { Painter } from './Painter.ts'
import type { Picture } from './picture.ts'

test('the thread renders one picture after the other, and continues after a failure', async () => {
  const painter = new Painter()
  const broken = { format: 'preview', subject: { kind: 'collection' } } as unknown as Picture
  await expect(painter.paint(broken)).rejects.toThrow('could not be rendered')
  const png = await painter.paint({
    format: 'preview',
    subject: { kind: 'collection', name: 'Soft focus', genres: [], creator: 'Mina Okafor' },
  })
  await painter.close()

  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  await expect(painter.paint(broken)).rejects.toThrow('closed')
}, 90_000)
