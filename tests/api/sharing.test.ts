import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { listAchievements } from '../../contract/achievements.ts'
import { addCollectionItem, createCollection, shareCollection } from '../../contract/collections.ts'
import { deleteAccount, updateProfile } from '../../contract/profiles.ts'
import {
  getSharedAchievement,
  getSharedCollection,
  getSharePreview,
  getShareStory,
  getStatsStory,
  shareAchievement,
} from '../../contract/sharing.ts'
import { readEnv } from '../../server/env.ts'
import { NO_FRAMES, withExtras } from '../../server/http/pageExtras.ts'
import { packagePath } from '../../server/packagePath.ts'
import { describeSharePage } from '../../server/sharing/sharePage.ts'
import { revokeShareToken } from '../../server/sharing/shareTokens.ts'
import { makeMicrogenre, rate, rateOn } from '../factories.ts'
import { warmUpPictures } from '../harness/multipart.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { scaled } from '../harness/tier.ts'
import { pathOf } from '../harness/visitor.ts'

const app = setUpApp()
beforeAll(async () => warmUpPictures(await app.signIn()))

const DEAD = { status: 404, body: { message: 'Nothing is shared at this address.' } }
const UNKNOWN = 'A'.repeat(32)

test('anybody can read what the page of a shared collection shows (sharing-12, sharing-13)', async () => {
  const { ada, shareToken, genres } = await share({ name: 'Soft focus', description: 'For Sundays.' })
  await ada.call(updateProfile, { body: { firstName: 'Ada', lastName: 'L' } })
  const { status, headers, body } = await app.visitor().call(getSharedCollection, { params: { shareToken } })

  expect({ status, body }).toEqual({
    status: 200,
    body: {
      name: 'Soft focus',
      description: 'For Sundays.',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      viewCount: 1,
      user: { firstName: 'Ada', lastName: 'L', profileImageUrl: null },
      items: genres.map(({ name }) => ({
        id: expect.any(String),
        addedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        microgenre: {
          key: name.toLowerCase().replace(' ', '-'),
          name,
          color: '#778899',
          description: 'One sentence. Another one.',
          recordings: [],
          songs: [
            expect.objectContaining({ title: 'Song 0', microgenre: expect.objectContaining({ name }) }),
          ],
        },
      })),
    },
  })
  expect(headers['x-robots-tag']).toBe('noindex')
  expect(headers['cache-control']).toBe('no-store')
})

test('each of many views at once is counted, and returns its number (sharing-13)', async () => {
  const visitors = scaled(100, 1000)
  const { shareToken, ada } = await share()
  const busy = await app.another()
  const answers = await Promise.all(
    Array.from({ length: visitors }, (_, n) =>
      (n === 0 ? ada : busy.visitor()).call(getSharedCollection, { params: { shareToken } }),
    ),
  )

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(answers.map(({ body }) => body.viewCount).sort((a, b) => a - b)).toEqual(
    Array.from({ length: visitors }, (_, i) => i + 1),
  )
})

test('documents, pictures and HEAD count no view (sharing-13)', async () => {
  const { shareToken, id } = await share()
  await app.visitor().raw(pathOf(getSharePreview, { params: { kind: 'collection', shareToken } }))
  await app.visitor().raw(pathOf(getShareStory, { params: { kind: 'collection', shareToken } }))
  await app.visitor().raw(pathOf(getSharedCollection, { params: { shareToken } }), { method: 'HEAD' })
  await documentAt(`/share/collection/${shareToken}`)

  expect(await viewsOf(id)).toBe(0)
})

test.each([
  ['unknown', UNKNOWN],
  ['too short', 'abc'],
  ['too long', 'A'.repeat(150)],
  ['an id', '1'],
  ['SQL', "' or 1=1 --"],
  ['NUL', 'A\u0000B'],
  ['a path', '../../etc/passwd'],
])('a token that is %s answers the same 404 everywhere', async (_, shareToken) => {
  const visitor = app.visitor()
  for (const endpoint of [getSharedCollection, getSharedAchievement, getSharePreview]) {
    const { method } = endpoint
    expect(
      await visitor.raw(pathOf(endpoint, { params: { kind: 'collection', shareToken } }), { method }),
    ).toMatchObject(DEAD)
  }
  expect((await documentAt(`/share/collection/${encodeURIComponent(shareToken)}`)).status).toBe(404)
})

test('a token with invalid encoding answers the same 404', async () => {
  for (const token of ['A'.repeat(3000), '%ff', '%', '', '%2F..%2F', 'a%00b'])
    for (const path of [`/api/share/collection/${token}`, `/share/achievement/${token}/preview.png`])
      expect(await app.visitor().raw(path), path).toMatchObject(DEAD)
})

test('a link ends with its target: private, revoked, suspended and deleted answer the same 404 (sharing-4, sharing-5)', async () => {
  const revocations: Record<string, (s: SharedCollection) => Promise<unknown>> = {
    private: ({ id }) => app.db`update collections set is_public = false where id = ${id}`,
    async revoked({ shareToken, ada, id }) {
      const link = { kind: 'collection', userId: ada.id, targetId: id }
      expect(await revokeShareToken(app.db, shareToken)).toEqual(link)
      expect(await revokeShareToken(app.db, shareToken)).toBeNull()
    },
    suspended: ({ ada }) => app.db`update users set suspended_at = now() where id = ${ada.id}`,
    'account deleted': ({ ada }) => ada.call(deleteAccount, { body: { confirmation: ada.email } }),
  }
  for (const [name, end] of Object.entries(revocations)) {
    const shared = await share()
    const { shareToken } = shared
    await end(shared)
    const visitor = app.visitor()

    expect(await visitor.call(getSharedCollection, { params: { shareToken } }), name).toMatchObject(DEAD)
    expect(
      await visitor.raw(pathOf(getSharePreview, { params: { kind: 'collection', shareToken } })),
      name,
    ).toMatchObject(DEAD)
    expect((await documentAt(`/share/collection/${shareToken}`)).status, name).toBe(404)
  }
})

test('only its owner can read a collection that went private, and 404s count no views (sharing-5)', async () => {
  const { ada, id, shareToken } = await share()
  await app.db`update collections set is_public = false where id = ${id}`
  const bob = await app.signIn()

  expect((await ada.call(getSharedCollection, { params: { shareToken } })).status).toBe(200)
  expect(await bob.call(getSharedCollection, { params: { shareToken } })).toMatchObject(DEAD)
  expect(await viewsOf(id)).toBe(1)
})

test('sharing an achievement returns a token, the same on repeat, and its page reveals only what it should (sharing-7, sharing-16, sharing-14)', async () => {
  const { ada, genre, master } = await earnMicrogenreMaster()
  await ada.call(updateProfile, { body: { firstName: 'Ada', lastName: null, isPublic: false } })
  await app.db`
    update achievements set metadata = metadata || '{"email":"a@b.c","songId":"7","bangers":10,"deep":{"a":1}}'
    where id = ${master.id}`
  const { body: first } = await ada.call(shareAchievement, { params: { id: master.id } })
  const { body: second } = await ada.call(shareAchievement, { params: { id: master.id } })
  const { status, headers, body } = await app.visitor().call(getSharedAchievement, { params: first })

  expect(first.shareToken).toMatch(/^[A-Za-z0-9_-]{32}$/)
  expect(second).toEqual(first)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      type: 'microgenre_master',
      metadata: { microgenreName: genre.name, bangers: 10 },
      createdAt: master.createdAt,
      user: { firstName: 'Ada', lastName: null, profileImageUrl: null },
      microgenre: { name: genre.name, color: '#778899' },
    },
  })
  expect(headers['x-robots-tag']).toBe('noindex')
  const { html } = await documentAt(`/share/achievement/${first.shareToken}`)
  expect(html).toContain('<title>Microgenre Master · Banger or Bust</title>')
  expect(html).toContain(
    `content="Ada unlocked ‘Microgenre Master’ in ${genre.name}: Completed an entire microgenre."`,
  )
  expect(html).toContain('<p>Achievement Unlocked</p><h1 dir="auto">Microgenre Master</h1>')
  await app.db`update achievements set metadata = 'null' where id = ${master.id}`
  const withoutMetadata = await app.visitor().call(getSharedAchievement, { params: first })
  expect(withoutMetadata).toMatchObject({
    status: 200,
    body: { metadata: {}, microgenre: { name: genre.name } },
  })
})

test('the microgenre of an achievement without one is null, and its token is not valid for another kind', async () => {
  const { ada, first } = await earnMicrogenreMaster()
  const { body } = await ada.call(shareAchievement, { params: { id: first.id } })
  const { shareToken } = await share()

  expect(await app.visitor().call(getSharedAchievement, { params: body })).toMatchObject({
    status: 200,
    body: { type: 'first_banger', metadata: {}, microgenre: null },
  })
  expect(await app.visitor().call(getSharedCollection, { params: body })).toMatchObject(DEAD)
  expect(await app.visitor().call(getSharedAchievement, { params: { shareToken } })).toMatchObject(DEAD)
})

test('a picture is a PNG that other sites may show, with a short cache time', async () => {
  const { shareToken } = await share()
  const path = pathOf(getSharePreview, { params: { kind: 'collection', shareToken } })
  const visitor = app.visitor()
  const { status, headers } = await visitor.raw(path)

  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=300',
    'x-robots-tag': 'noindex',
    'cross-origin-resource-policy': 'cross-origin',
    etag: expect.stringMatching(/^"[\w-]+"$/),
  })
  const again = (tag: string) => visitor.raw(path, { headers: { 'if-none-match': tag } })
  expect(await again(`"another", W/${headers.etag}`)).toMatchObject({ status: 304, text: '' })
  expect((await again('"another"')).status).toBe(200)
})

test("a picture of one's own figures is for its listener only", async () => {
  const ada = await app.signIn()
  const { status, headers } = await ada.raw(getStatsStory.path)

  expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
    status: 200,
    type: 'image/png',
    cache: 'no-store',
  })
  expect((await app.visitor().raw(getStatsStory.path)).status).toBe(401)
})

test('ratings do not wait while pictures render', async () => {
  const { ada: owner } = await share()
  const tokens: string[] = []
  for (let i = 0; i < 12; i++) {
    const body = { name: `Picture ${i}`, isPublic: true }
    const { id } = (await owner.call(createCollection, { body })).body
    tokens.push((await owner.call(shareCollection, { params: { id } })).body.shareToken)
  }
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 600)
  let rendered = false
  const pictures = Promise.all(
    tokens.map((shareToken) =>
      app.visitor().raw(pathOf(getSharePreview, { params: { kind: 'collection', shareToken } })),
    ),
  ).finally(() => {
    rendered = true
  })
  let rated = 0
  while (!rendered && rated < genre.songs.length) await rate(ada, genre.id, genre.songs[rated++] ?? '')
  // On a busy machine one may get a 503.
  for (const { status } of await pictures) expect([200, 503]).toContain(status)

  // If ratings waited, one picture would let only one through.
  expect(rated).toBeGreaterThan(tokens.length * 3)
})

test('the document of a shared collection has complete metadata for crawlers, with absolute addresses, and no HTML of names or ids (sharing-16)', async () => {
  const { ada, shareToken } = await share({
    name: '<b>Soft</b> "focus" & $& 日曜日 🌙</script><script>',
    description: '<img src=x onerror=alert(1)>',
  })
  await ada.call(updateProfile, { body: { firstName: '<i>Ada</i>', lastName: null } })
  const { status, headers, html } = await documentAt(`/share/collection/${shareToken}`)
  const address = `http://localhost:3000/share/collection/${shareToken}`
  const name = '&lt;b&gt;Soft&lt;/b&gt; &quot;focus&quot; &amp; $&amp; 日曜日 🌙&lt;/script&gt;&lt;script&gt;'

  expect(status).toBe(200)
  expect(headers).toEqual({ 'x-robots-tag': 'noindex' })
  for (const tag of [
    `<title>${name} · Banger or Bust</title>`,
    '<meta name="description" content="&lt;img src=x onerror=alert(1)&gt;" />',
    `<link rel="canonical" href="${address}" />`,
    '<meta name="robots" content="noindex" />',
    `<meta property="og:title" content="${name}" />`,
    `<meta property="og:url" content="${address}" />`,
    `<meta property="og:image" content="${address}/preview.png" />`,
    '<meta property="og:image:width" content="1200" />',
    '<meta property="og:image:height" content="630" />',
    '<meta name="twitter:card" content="summary_large_image" />',
    `<meta name="twitter:image" content="${address}/preview.png" />`,
  ]) {
    expect(html).toContain(tag)
  }
  expect(html).toContain(`<h1 dir="auto">${name}</h1>`)
  expect(html).toContain('&lt;i&gt;Ada&lt;/i&gt;')
  expect(html).not.toMatch(/<(b|i|img|script)>|<img /)
  expect(html).not.toContain(`"${ada.id}"`)
})

test('an achievement without a text of its own has its name, and its raw type below (sharing-15)', async () => {
  const ada = await app.signIn()
  const { id } = await makeMicrogenre(app.db, 25)
  await rateOn(ada, id)
  const streak = (await ada.call(listAchievements)).body.find(({ type }) => type === 'streak_25')
  const { body } = await ada.call(shareAchievement, { params: { id: streak?.id ?? '' } })
  const { html } = await documentAt(`/share/achievement/${body.shareToken}`)

  expect(html).toContain('<h1 dir="auto">25 Song Streak</h1><p>streak_25</p>')
  expect(html).toContain('<p dir="auto">Achievement unlocked</p>')
  expect(html).toContain('<meta property="og:title" content="25 Song Streak" />')
  expect(html).toContain('<meta property="og:image:alt" content="25 Song Streak" />')
  expect(html).toContain('content="Music Explorer unlocked ‘25 Song Streak’."')
})

test('a dead link gets the same document with status 404 and its message (calls-6)', async () => {
  const { status, html } = await documentAt(`/share/collection/${UNKNOWN}`)

  expect(status).toBe(404)
  expect(html).toContain('<title>Collection Not Found · Banger or Bust</title>')
  expect(html).toContain("This collection doesn't exist or is no longer available.")
  expect(html).toContain('<script type="module"')
  expect((await documentAt('/share/achievement')).html).toContain('Achievement Not Found')
})

test('the documents of other pages are unchanged', async () => {
  for (const path of ['/', '/privacy', '/share', '/share/song/x', '/shared/collection/x']) {
    expect(await describeSharePage(app.db, readEnv({}), path, NO_FRAMES)).toBeNull()
  }
})

type SharedCollection = Awaited<ReturnType<typeof share>>

/** A collection of two microgenres by a new listener, shared by link. */
async function share({ name = 'Shared', description }: { name?: string; description?: string } = {}) {
  const ada = await app.signIn()
  const genres = [await makeMicrogenre(app.db, 1), await makeMicrogenre(app.db, 1)]
  const { body: collection } = await ada.call(createCollection, {
    body: { name, description: description ?? null, isPublic: true },
  })
  for (const { id } of genres) {
    await ada.call(addCollectionItem, { params: { id: collection.id }, body: { microgenreId: id } })
  }
  const { body } = await ada.call(shareCollection, { params: { id: collection.id } })
  return { ada, id: collection.id, genres, shareToken: body.shareToken }
}

/** A listener with ten bangers in one microgenre. */
async function earnMicrogenreMaster() {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 10)
  await rateOn(ada, genre.id)
  const { body } = await ada.call(listAchievements)
  const find = (type: string) => {
    const achievementOfType = body.find((achievement) => achievement.type === type)
    if (!achievementOfType) throw new Error(`No achievement ${type}`)
    return achievementOfType
  }
  return { ada, genre, first: find('first_banger'), master: find('microgenre_master') }
}

async function documentAt(path: string) {
  const extras = await describeSharePage(app.db, readEnv({}), path, NO_FRAMES)
  if (!extras) throw new Error(`${path} is no shared page.`)
  const page = readFileSync(packagePath('web/index.html'), 'utf8')
  return { status: extras.status, headers: extras.headers, html: withExtras(page, extras) }
}

async function viewsOf(id: string) {
  const [row] = await app.db<{ viewCount: number }[]>`select view_count from collections where id = ${id}`
  return row?.viewCount
}
