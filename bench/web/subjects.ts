import { type BrowserContext, type Page, request } from '@playwright/test'
import { answerQuestionnaire, newEmail, signInByLink } from '../../tests/browser/fixtures.ts'
import { makeSharedAchievement, makeSharedCollection, makeSharedMix } from '../../tests/browser/listeners.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { MAX_TRANSFER, type TransferSize } from '../../tests/browser/transferSize.ts'
import type { Vitals } from './vitals.ts'

/** A page to measure. */
export interface Subject {
  name: string
  path: string
  /** Signs in first; Lighthouse has no session and skips these pages. */
  state?: Awaited<ReturnType<BrowserContext['storageState']>>
  most?: TransferSize
  /** Stricter limits than those of good Web Vitals. */
  vitals?: Partial<Vitals>
  /** Waits until the page's main content is visible. */
  settle(page: Page): Promise<unknown>
  /** Lighthouse audits that do not apply. */
  skip: string[]
}

/** The landing page, the main screen, one shared page of each kind, and a microgenre's. */
export async function preparePages({ url }: TestServer): Promise<Subject[]> {
  const api = await request.newContext({ baseURL: url })
  await signInByLink(api, newEmail())
  await answerQuestionnaire(api)
  const shared = {
    settle: (page: Page) => page.getByRole('heading', { level: 1 }).waitFor(),
    // Shared pages are noindex on purpose.
    skip: ['is-crawlable'],
  }
  const pages = [
    { ...shared, name: 'landing', path: '/', most: MAX_TRANSFER.landing, skip: [] },
    {
      name: 'main screen',
      path: '/',
      state: await api.storageState(),
      most: MAX_TRANSFER.main,
      vitals: { largestPaint: 1800 },
      settle: (page: Page) =>
        page.getByRole('button', { name: 'BANGER', exact: true, disabled: false }).waitFor(),
      skip: [],
    },
    { ...shared, name: 'shared collection', path: await makeSharedCollection(api, 'Soft focus') },
    { ...shared, name: 'shared achievement', path: await makeSharedAchievement(api) },
    { ...shared, name: 'shared mix', path: await makeSharedMix(api, 'Night buses') },
    { ...shared, name: 'microgenre', path: '/microgenres/shoegaze', skip: [] },
  ]
  await api.dispose()
  return pages
}
