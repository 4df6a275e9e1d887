import { copyFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'

/** A temporary folder for the files of one test file. */
export interface Files {
  folder: string
  /** Like a camera's: a JPEG of 1200×900 with an orientation, an author and a location. */
  photo(name?: string): Promise<string>
  /** That many bytes: `content`, then zeros. */
  file(name: string, bytes: number, content?: string): Promise<string>
  remove(): Promise<void>
}

export async function makeFiles(): Promise<Files> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-files-'))
  const at = async (name: string) => {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    return file
  }
  return {
    folder,
    async photo(name = 'me.jpg') {
      const file = await at(name)
      await copyFile(new URL('me.jpg', import.meta.url), file)
      return file
    },
    async file(name, bytes, content = '') {
      const file = await at(name)
      await writeFile(file, content)
      await truncate(file, bytes)
      return file
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Drags files into the browser and drops them on `place`. */
export async function dropFiles(page: Page, place: Locator, files: string[]): Promise<void> {
  const box = await place.boundingBox()
  if (!box) throw new Error('There is nothing to drop on.')
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  const x = box.x + box.width / 2
  const y = box.y + box.height / 2
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  await session.detach()
}

/** Copies a picture of this size, drawn by the page, and pastes it with the keyboard. */
export async function pastePicture(
  page: Page,
  { width, height } = { width: 320, height: 240 },
): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(
    async ({ width, height }) => {
      const canvas = new OffscreenCanvas(width, height)
      const pen = canvas.getContext('2d')
      if (pen) pen.fillStyle = 'tomato'
      pen?.fillRect(0, 0, width / 2, height)
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': canvas.convertToBlob() })])
    },
    { width, height },
  )
  await page.keyboard.press('ControlOrMeta+v')
}
