import { expect, test } from 'vitest'
import { PictureRenderer } from './PictureRenderer.ts'
import type { Picture } from './picture.ts'

test('the thread renders one picture after the other, and continues after a failure', async () => {
  const renderer = new PictureRenderer()
  const broken = { format: 'preview', subject: { kind: 'collection' } } as unknown as Picture
  await expect(renderer.render(broken)).rejects.toThrow('could not be rendered')
  const png = await renderer.render({
    format: 'preview',
    subject: { kind: 'collection', name: 'Soft focus', genres: [], creator: 'Mina Okafor' },
    site: 'bangers.example',
  })
  await renderer.close()

  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  await expect(renderer.render(broken)).rejects.toThrow('closed')
})
