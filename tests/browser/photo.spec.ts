import { randomFillSync } from 'node:crypto'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { type CurrentUser, getCurrentUser } from '../../contract/auth.ts'
import {
  getUploadSettings,
  MAX_PHOTO_BYTES,
  receiveUpload,
  removePhoto,
  requestPhotoUpload,
  setPhoto,
} from '../../contract/uploads.ts'
import { pathAt, SUB_PATH } from '../harness/tier.ts'
import { dropFiles, type Files, makeFiles, pastePicture } from './files.ts'
import { expect, signIn, test } from './fixtures.ts'
import { failCall, mockResponse, urlPattern } from './mockResponses.ts'
import { findScreenFaults } from './screenFaults.ts'
import { toast } from './testSongs.ts'

/* The profile photo, through the upload dialog (uploads-1). */

let files: Files
// In one worker, because what is below is made once.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  files = await makeFiles()
})
test.afterAll(() => files.remove())

const profile = (page: Page) => page.getByRole('dialog', { name: 'Profile', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Profile photo' })
const messages = (page: Page) => dialog(page).getByRole('region', { name: 'Messages' })
const dropZone = (page: Page) => dialog(page).getByRole('group', { name: 'Files' })

/** Signs in and opens the upload dialog over the listener's profile. */
async function openDialog(page: Page): Promise<void> {
  await signIn(page)
  await page.getByRole('button', { name: 'Your profile' }).click()
  await profile(page).getByRole('button', { name: 'Change photo' }).click()
  await expect(dialog(page).getByRole('button', { name: 'browse files' })).toBeVisible()
}

async function choose(page: Page, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await dialog(page).getByRole('button', { name: 'browse files' }).click()
  await (await chooser).setFiles(file)
}

const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

/** Uppy's panels lie over one another. */
const editor = (page: Page) => dialog(page).locator('[data-uppy-paneltype="FileEditor"]')

/** A chosen picture is in the editor, where 'Save' uploads it. */
const saveCrop = (page: Page) => editor(page).getByRole('button', { name: 'Save' }).click()

/** Leaves the editor; the picture waits in the list as it is. */
const skipCrop = (page: Page) => editor(page).getByRole('button', { name: 'Cancel' }).click()

const upload = (page: Page) => button(page, 'Upload 1 file').click()

async function photoOf(page: Page): Promise<string | null> {
  const user = (await (await page.request.get(getCurrentUser.path)).json()) as CurrentUser
  return user.profileImageUrl
}

/** Runs in the page: makes a picture slow to decode, like a large one on a phone. */
function encodeSlowly(): void {
  const { toBlob } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.toBlob = function (done, ...how) {
    setTimeout(() => toBlob.call(this, done, ...how), 1500)
  }
}

/** Runs in the page: a camera whose first frame comes a second after it opens. */
function startCameraSlowly(): void {
  const { getUserMedia } = MediaDevices.prototype
  MediaDevices.prototype.getUserMedia = async function (constraints) {
    const camera = await getUserMedia.call(this, constraints)
    const [live] = camera.getVideoTracks()
    const late = new MediaStream()
    setTimeout(() => live && late.addTrack(live), 1000)
    late.getVideoTracks = () => camera.getVideoTracks()
    return late
  }
}

/** Waits until the element shows a photo from the server. */
async function expectPhoto(within: Locator, photo: string): Promise<void> {
  const picture = within.locator(`img[src="${SUB_PATH}${photo}"]`).first()
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
}

test('people-6, uploads-1, uploads-6: a chosen photo appears in header, dialog and profile at once', async ({
  page,
}) => {
  await openDialog(page)
  const uploaded = receiveUpload.path.split(':')[0]
  const calls: string[] = []
  // The song behind the dialog makes calls of its own.
  page.on('request', (request) => {
    const pathname = pathAt(request.url())
    const isOurs = [requestPhotoUpload.path, uploaded, setPhoto.path, getCurrentUser.path].some((path) =>
      pathname.startsWith(path ?? ''),
    )
    if (isOurs) calls.push(`${request.method()} ${pathname}`)
  })
  await choose(page, await files.photo())
  await expect(button(page, 'Save')).toBeVisible()
  await expect(profile(page), 'one dialog at a time').toBeHidden()
  await saveCrop(page)

  await expect(toast(page)).toContainText('Profile Photo Updated')
  await expect(dialog(page)).toBeHidden()
  const photo = await photoOf(page)
  expect(photo).toMatch(/^\/photos\//)
  await expectPhoto(profile(page), photo ?? '')
  await page.keyboard.press('Escape')
  await expectPhoto(page.getByRole('button', { name: 'Your profile' }), photo ?? '')
  // The last response has the new photo, so nothing requests it again.
  expect(calls).toEqual([
    `POST ${requestPhotoUpload.path}`,
    expect.stringMatching(`^PUT ${uploaded}`),
    `PUT ${setPhoto.path}`,
  ])
  await page.goto('/profile')
  await expectPhoto(page.getByRole('main'), photo ?? '')
})

test('uploads-1, uploads-5: a dropped photo goes from waiting to complete', async ({ page }) => {
  await openDialog(page)
  const status = dialog(page).getByRole('status', { name: 'Upload status' })
  const seen = await page.evaluateHandle(() => [] as string[])
  await status.evaluate((element, seen) => {
    const note = () => {
      const text = element.textContent ?? ''
      if (text !== '' && seen.at(-1) !== text) seen.push(text)
    }
    new MutationObserver(note).observe(element, { childList: true, characterData: true, subtree: true })
  }, seen)
  await dropFiles(page, dropZone(page), [await files.photo('dropped.jpg')])
  await skipCrop(page)
  await expect(dialog(page).getByRole('listitem').getByText('dropped.jpg')).toBeVisible()
  await expect(status).toHaveText('waiting')
  await upload(page)
  await expect(toast(page)).toContainText('Profile Photo Updated')
  expect(await photoOf(page)).toMatch(/^\/photos\//)
  expect(await seen.jsonValue()).toEqual([
    'waiting',
    'preprocessing',
    'uploading',
    'postprocessing',
    'complete',
  ])
})

/** The width and height of every picture that is uploaded. */
async function uploadedSizes(page: Page): Promise<{ width: number; height: number }[]> {
  const sizes: { width: number; height: number }[] = []
  await page.route(`**${receiveUpload.path.split(':')[0]}**`, async (route) => {
    const { default: sharp } = await import('sharp')
    const { width, height } = await sharp(route.request().postDataBuffer() ?? undefined).metadata()
    sizes.push({ width, height })
    await route.fallback()
  })
  return sizes
}

test('@long uploads-1: a picture is cropped to a square and sent in one step, also when encoding it is slow', async ({
  page,
}) => {
  await page.addInitScript(encodeSlowly)
  await openDialog(page)
  const sizes = await uploadedSizes(page)
  await pastePicture(page, { width: 320, height: 240 })
  await saveCrop(page)
  await expect(toast(page)).toContainText('Profile Photo Updated')
  expect(sizes).toHaveLength(1)
  expect(sizes[0]?.width).toBe(sizes[0]?.height)
})

test('uploads-3: the crop of a large picture of few colours fits', async ({ page }) => {
  const { default: sharp } = await import('sharp')
  const [width, height] = [4000, 4000]
  // Noise of two bits a pixel, for which the browser's encoder takes four bytes.
  const noise = randomFillSync(Buffer.alloc(width * height)).map((byte) => (byte & 3) * 85)
  const picture = path.join(files.folder, 'few-colours.png')
  const raw = { width, height, channels: 1 } as const
  const { size } = await sharp(noise, { raw }).png({ palette: true, colours: 4, dither: 0 }).toFile(picture)
  expect(size).toBeLessThan(MAX_PHOTO_BYTES)

  await openDialog(page)
  const sizes = await uploadedSizes(page)
  await choose(page, picture)
  await saveCrop(page)
  await expect(toast(page)).toContainText('Profile Photo Updated')
  expect(sizes).toEqual([{ width: 1024, height: 1024 }])
})

test('@long uploads-1: a pasted picture can be renamed, and cropped from its card', async ({ page }) => {
  await page.addInitScript(encodeSlowly)
  await openDialog(page)
  await pastePicture(page, { width: 320, height: 240 })
  await expect(button(page, 'Save')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Save'), 'Escape leaves the editor, not the dialog').toBeHidden()
  await dialog(page).getByRole('button', { name: 'Edit file image.png' }).click()
  await dialog(page).getByLabel('Name').press('Escape')
  await expect(dialog(page).getByLabel('Name'), 'Escape leaves the card, not the dialog').toBeHidden()
  await dialog(page).getByRole('button', { name: 'Edit file image.png' }).click()
  // The card gives its first field the focus a moment later, which must not be while another is filled.
  await expect(dialog(page).getByLabel('Name')).toBeFocused()
  await dialog(page).getByLabel('Name').fill('portrait.png')
  await dialog(page).getByRole('button', { name: 'Edit image' }).click()
  await saveCrop(page)
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog(page).getByRole('listitem').getByText('portrait.png')).toBeVisible()

  const sizes = await uploadedSizes(page)
  const nextRequest = page.waitForRequest(urlPattern(requestPhotoUpload))
  await upload(page)
  expect((await nextRequest).postDataJSON()).toMatchObject({ filename: 'portrait.png' })
  await expect(toast(page)).toContainText('Profile Photo Updated')
  expect(sizes).toHaveLength(1)
  expect(sizes[0]?.width).toBe(sizes[0]?.height)
})

test('@long uploads-1: a picture pasted with Ctrl+V is added once, without a message about a duplicate', async ({
  page,
}) => {
  await openDialog(page)
  await pastePicture(page)
  await skipCrop(page)
  await expect(dialog(page).getByRole('listitem').getByText('image.png')).toHaveCount(1)
  // Check at once, because messages close by themselves.
  expect(await messages(page).textContent()).toBe('')
})

test('@long uploads-1: a photo from the camera, also when the button is pressed before the first frame', async ({
  page,
}) => {
  await page.addInitScript(startCameraSlowly)
  await page.context().grantPermissions(['camera'])
  await openDialog(page)
  await dialog(page).getByRole('button', { name: 'Camera' }).click()
  await dialog(page).getByRole('button', { name: 'Take a picture' }).click()
  await dialog(page).getByRole('button', { name: 'Submit recorded file' }).click()
  await saveCrop(page)
  await expect(toast(page)).toContainText('Profile Photo Updated')
})

test('uploads-1, uploads-2, uploads-3, uploads-4: one picture of at most 5 MB, and nothing else', async ({
  page,
}) => {
  await openDialog(page)
  await expect(dialog(page).getByRole('button', { name: 'browse folders' })).toBeVisible()
  await expect(dialog(page).locator('input[webkitdirectory]')).toHaveCount(1)
  for (const provider of ['Box', 'Dropbox', 'Google Drive', 'Facebook', 'Unsplash'])
    await expect(dialog(page).getByText(provider)).toHaveCount(0)

  const [one, two] = [await files.photo('one.jpg'), await files.photo('two.jpg')]
  await dropFiles(page, dropZone(page), [one, two])
  await expect(messages(page)).toContainText('You can only upload 1 file')

  await dropFiles(page, dropZone(page), [await files.file('big.png', MAX_PHOTO_BYTES + 1)])
  await expect(messages(page)).toContainText('big.png exceeds maximum allowed size of 5 MB')

  const texts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => files.file(`${name}.txt`, 12))
  await dropFiles(page, dropZone(page), await Promise.all(texts))
  await expect(messages(page).getByText('You can only upload: PNG, JPEG, WebP or GIF')).toHaveCount(1)
  await expect(messages(page)).toContainText('2 more could not be added')
  await expect(dialog(page).getByRole('button', { name: 'browse files' })).toBeVisible()

  await dropFiles(page, dropZone(page), [await files.file('brim.png', MAX_PHOTO_BYTES)])
  await skipCrop(page)
  // Its name also stands in the editor, which is closing.
  await expect(dialog(page).getByTitle('brim.png', { exact: true })).toBeVisible()
})

test.describe('when it fails', () => {
  test.use({ expectedErrors: [/status of (500|40[013])|ERR_FAILED/] })

  test('uploads-6: setting and removing a photo fails, changes nothing, and works at the second try', async ({
    page,
  }) => {
    await openDialog(page)
    const restore = await failCall(page, setPhoto)
    await choose(page, await files.photo())
    await saveCrop(page)
    await expect(toast(page)).toContainText('Failed to update profile photo. Please try again.')
    await expect(messages(page)).toContainText('Failed to upload me.jpg')
    expect(await photoOf(page)).toBeNull()
    await restore()
    await dialog(page).getByRole('button', { name: 'Retry upload' }).first().click()
    await expect(toast(page)).toContainText('Profile Photo Updated')
    expect(await photoOf(page)).not.toBeNull()
    await expect(dialog(page)).toBeHidden()
    const remove = profile(page).getByRole('button', { name: 'Remove photo' })
    const restoreRemoval = await failCall(page, removePhoto)
    await remove.click()
    await expect(toast(page)).toContainText('Failed to update profile photo. Please try again.')
    expect(await photoOf(page)).not.toBeNull()
    await restoreRemoval()
    await remove.click()
    await expect(toast(page)).toContainText('Your photo is removed.')
    expect(await photoOf(page)).toBeNull()
    await expect(remove).toHaveCount(0)
    await expect(page.locator('img[src^="/photos/"]')).toHaveCount(0)
  })
})

test.describe('without a network', () => {
  // From the song that plays behind the dialog.
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] })

  test('@long uploads-5: the dialog says that it is offline until the network is back', async ({
    page,
    context,
  }) => {
    await openDialog(page)
    await context.setOffline(true)
    await expect(messages(page)).toContainText('No Internet connection')
    await context.setOffline(false)
    await expect(messages(page)).not.toContainText('No Internet connection')
  })
})

test('@long uploads-2: five remote providers with keys are offered, whole at every size', async ({
  page,
}) => {
  await mockResponse(page, getUploadSettings, {
    maxBytes: 1_000_000,
    providers: ['box', 'dropbox', 'drive', 'facebook', 'unsplash'],
  })
  await openDialog(page)
  for (const provider of ['Box', 'Dropbox', 'Google Drive', 'Facebook', 'Unsplash'])
    await expect(button(page, provider)).toBeVisible()
  expect(await findScreenFaults(page)).toEqual({})
})

test.describe('with a remote drive', () => {
  test.use({ expectedErrors: [/status of 401/] })

  test('uploads-2: a connected drive is forgotten with the dialog, for who uses the browser next', async ({
    page,
    context,
  }) => {
    await mockResponse(page, getUploadSettings, { maxBytes: 1_000_000, providers: ['dropbox'] })
    await context.route('**/companion/dropbox/**', (route) => {
      if (route.request().url().includes('/connect'))
        return route.fulfill({
          contentType: 'text/html',
          headers: { 'cross-origin-opener-policy': 'same-origin' },
          body: PAGE_WITH_TOKEN,
        })
      if (route.request().headers()['uppy-auth-token'] !== 'token-of-ada')
        return route.fulfill({ status: 401 })
      const file = { id: 'a', name: 'beach.jpg', requestPath: 'a', mimeType: 'image/jpeg', isFolder: false }
      return route.fulfill({ json: { username: 'Ada', items: [file], nextPagePath: null } })
    })
    await openDialog(page)
    await button(page, 'Dropbox').click()
    await button(page, 'Connect to Dropbox').click()
    await expect(dialog(page).getByText('beach.jpg')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()

    await profile(page).getByRole('button', { name: 'Change photo' }).click()
    await button(page, 'Dropbox').click()
    await expect(button(page, 'Connect to Dropbox')).toBeVisible()
    expect(JSON.stringify(await context.storageState())).not.toContain('token-of-ada')
  })
})

/** Companion's, at the end of the sign-in at the drive. */
const PAGE_WITH_TOKEN = `<script>opener.postMessage({ token: 'token-of-ada' }, origin)</script>`

test.describe('on touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } })

  test('@long uploads-1: the dialog speaks of choosing a picture, not of dropping or folders', async ({
    page,
  }) => {
    await signIn(page)
    await page.getByRole('button', { name: 'Your profile' }).click()
    await profile(page).getByRole('button', { name: 'Change photo' }).click()
    await expect(button(page, 'Choose a picture')).toBeVisible()
    await expect(
      dialog(page)
        .getByText(/drop|paste|folder/i)
        .filter({ visible: true }),
    ).toHaveCount(0)
  })
})
