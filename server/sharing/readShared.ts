import type { Endpoint } from '../../contract/endpoint.ts'
import { achievementPage, collectionPage, type SharedPage } from '../../contract/sharedPage.ts'
import { getSharedAchievement, getSharedCollection, type ShareKind } from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import { readAchievement } from './sharedAchievement.ts'
import { readCollection } from './sharedCollection.ts'

/** Something shared, as a visitor may see it. */
interface FoundShared {
  page: SharedPage
  /** The listener who shares it. Never leaves the server. */
  owner: string
  /** The call that a page makes for it, and its answer. */
  endpoint: Endpoint
  answer: unknown
}

/** Reads what a token shares without counting a view; null for a token that leads nowhere. */
export function readShared(db: Database, kind: ShareKind, token: string): Promise<FoundShared | null> {
  return kind === 'collection' ? findCollection(db, token) : findAchievement(db, token)
}

async function findCollection(db: Database, token: string): Promise<FoundShared | null> {
  const found = await readCollection(db, token)
  if (!found) return null
  const { owner, ...facts } = found
  // As the call answers, which counts its own view: the page counts it by countCollectionView.
  const answer = { ...facts, viewCount: facts.viewCount + 1 }
  return { page: collectionPage(facts), owner, endpoint: getSharedCollection, answer }
}

async function findAchievement(db: Database, token: string): Promise<FoundShared | null> {
  const found = await readAchievement(db, token)
  if (!found) return null
  const { owner, ...answer } = found
  return { page: achievementPage(answer), owner, endpoint: getSharedAchievement, answer }
}
