import { achievementPage, collectionPage, type SharedPage } from '../../contract/sharedPage.ts'
import type { ShareKind } from '../../contract/sharing.ts'
import type { Database } from '../db/connection.ts'
import { readSharedAchievement } from './sharedAchievement.ts'
import { readSharedCollection } from './sharedCollection.ts'

/** A shared item as a visitor may see it. */
interface SharedItem {
  page: SharedPage
  /** The listener who shares it. Never sent to clients. */
  owner: string
}

/** Reads a shared item without counting a view; null for an unknown token. */
export function readShared(db: Database, kind: ShareKind, token: string): Promise<SharedItem | null> {
  return kind === 'collection' ? findCollection(db, token) : findAchievement(db, token)
}

async function findCollection(db: Database, token: string): Promise<SharedItem | null> {
  const found = await readSharedCollection(db, token)
  return found && { page: collectionPage(found), owner: found.owner }
}

async function findAchievement(db: Database, token: string): Promise<SharedItem | null> {
  const found = await readSharedAchievement(db, token)
  return found && { page: achievementPage(found), owner: found.owner }
}
