import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { getCurrentUser } from '../../contract/auth.ts'
import { requestPhotoUpload, setPhoto } from '../../contract/uploads.ts'
import { request } from '../harness/request.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { makePicture } from '../pictures.ts'

/** A tmpfs of 6 MB as a disk of its own, which only root can mount. */
const folder = mkdtempSync(join(os.tmpdir(), 'bob-small-disk-'))
const disk = join(folder, 'uploads')
mkdirSync(disk)
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk]).status === 0
afterAll(() => {
  if (mounted) spawnSync('umount', [disk])
  rmSync(folder, { recursive: true, force: true })
})

const app = setUpApp({ DATA_DIR: folder })
const DISK_FULL = { message: 'The server has no space for uploads right now. Please try again later.' }

test('on a full disk an upload fails with a message, the old photo stays, and no file is left (uploads-11)', async () => {
  if (!mounted) {
    console.log('Not shown: what a full disk does. Only root can mount a small one.')
    return
  }
  const ada = await app.signIn()
  const requestUpload = async () => (await ada.call(requestPhotoUpload, { body: {} })).body.uploadURL
  const photoURL = await requestUpload()
  await request(photoURL, { method: 'PUT', body: await makePicture('png') })
  const photo = (await ada.call(setPhoto, { body: { photoURL } })).body.profileImageUrl
  await request(await requestUpload(), { method: 'PUT', body: Buffer.alloc(4_000_000) })

  const announced = await request(await requestUpload(), { method: 'PUT', body: Buffer.alloc(4_000_000) })
  expect([announced.status, JSON.parse(announced.text)]).toEqual([507, DISK_FULL])
  // A body of unannounced length fills the disk to the last byte.
  const surprise = await sendInChunks(await requestUpload(), Buffer.alloc(4_000_000))
  expect([surprise.status, JSON.parse(surprise.text)]).toEqual([507, DISK_FULL])

  expect(await readdir(join(disk, 'arriving'))).toEqual([])
  expect(await readdir(join(disk, 'uploads', ada.id))).toHaveLength(1)
  expect((await ada.call(getCurrentUser)).body.profileImageUrl).toBe(photo)
  expect((await request(app.url + photo)).status).toBe(200)
})

test('the disk reserve is checked while bytes arrive, not only when an upload begins', async () => {
  if (!mounted) return
  const ada = await app.signIn()
  const requestUpload = async () => (await ada.call(requestPhotoUpload, { body: {} })).body.uploadURL
  const filler = join(disk, 'filler')
  const free = async () => {
    const { bavail, bsize } = await statfs(disk)
    return bavail * bsize
  }
  await writeFile(filler, Buffer.alloc((await free()) - 2_000_000))
  try {
    // The whole file would fit, but leave no reserve.
    const { status, text } = await sendInChunks(await requestUpload(), Buffer.alloc((await free()) - 10_000))
    expect([status, JSON.parse(text)]).toEqual([507, DISK_FULL])
    expect(await readdir(join(disk, 'arriving'))).toEqual([])
  } finally {
    await rm(filler)
  }
})

function sendInChunks(url: string, bytes: Buffer): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const call = http.request(url, { method: 'PUT' }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode, text }))
    })
    call.on('error', reject)
    call.write(bytes.subarray(0, 1000))
    call.end(bytes.subarray(1000))
  })
}
