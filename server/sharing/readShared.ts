import type { Endpoint } from '../../contract/endpoint.ts'
import { achievementPage, collectionPage, type SharedPage } from '../../contract/sharedPage.ts'
import { getSharedAchievement, getSharedCollection, type ShareKind } from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import { readAchievement } from './sharedAchievement.ts'
import { readCollection } from './sharedCollection.ts'

/** A shared item as a visitor may see it. */
interface FoundShared {
  page: SharedPage
  /** The listener who shares it. Never sent to clients. */
  owner: string
  /** The page's call for it, and the response. */
  endpoint: Endpoint
  answer: unknown
}

/** Reads a shared item without counting a view; null for an unknown token. */
export function readShared(db: Database, kind: ShareKind, token: string): Promise<FoundShared | null> {
  return kind === 'collection' ? findCollection(db, token) : findAchievement(db, token)
}

async function findCollection(db: Database, token: string): Promise<FoundShared | null> {
  const found = await readCollection(db, token)
  if (!found) return null
  const { owner, ...facts } = found
  // Like the call's response, which counts its own view; the page counts it by countCollectionView.
  const answer = { ...facts, viewCount: facts.viewCount + 1 }
  return { page: collectionPage(facts), owner, endpoint: getSharedCollection, answer }
}

async function findAchievement(db: Database, token: string): Promise<FoundShared | null> {
  const found = await readAchievement(db, token)
  if (!found) return null
  const { owner, ...answer } = found
  return { page: achievementPage(answer), owner, endpoint: getSharedAchievement, answer }
}
