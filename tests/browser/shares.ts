import type { APIRequestContext } from '@playwright/test'
import { listAchievements } from '../../contract/achievements.ts'
import { addCollectionItem, createCollection, shareCollection } from '../../contract/collections.ts'
import { listMicrogenres } from '../../contract/discovery.ts'
import { shareAchievement, sharePath } from '../../contract/sharing.ts'
import { rateSongs } from './listeners.ts'

/** Shares a collection of one microgenre; returns the path of its page. */
export async function makeSharedCollection(api: APIRequestContext, name: string): Promise<string> {
  const [genre] = (await (await api.get(listMicrogenres.path)).json()) as { id: string }[]
  const made = await api.post(createCollection.path, { data: { name, isPublic: true } })
  const { id } = (await made.json()) as { id: string }
  await api.post(addCollectionItem.path.replace(':id', id), { data: { microgenreId: genre?.id } })
  const shared = await api.post(shareCollection.path.replace(':id', id))
  const { shareToken } = (await shared.json()) as { shareToken: string }
  return sharePath('collection', shareToken)
}

/** Earns and shares the first_banger achievement; returns the path of its page. */
export async function makeSharedAchievement(api: APIRequestContext): Promise<string> {
  await rateSongs(api, { banger: 1 })
  const [first] = (await (await api.get(listAchievements.path)).json()) as { id: string }[]
  const shared = await api.post(shareAchievement.path.replace(':id', first?.id ?? ''))
  const { shareToken } = (await shared.json()) as { shareToken: string }
  return sharePath('achievement', shareToken)
}
