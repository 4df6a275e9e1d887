import { checkAchievements } from '../../contract/achievements.ts'
import { createApiToken, SCOPES } from '../../contract/apiTokens.ts'
import { addCollectionItem, createCollection, shareCollection } from '../../contract/collections.ts'
import type { Scope } from '../../contract/endpoint.ts'
import { createMix } from '../../contract/mixes.ts'
import { savePreferences } from '../../contract/onboarding.ts'
import { reportProgress } from '../../contract/playback.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { shareAchievement } from '../../contract/sharing.ts'
import type { Database } from '../../server/db/connection.ts'
import { type MadeMicrogenre, makeMicrogenre, rate } from '../factories.ts'
import type { TestApp } from './setUpApp.ts'
import type { Visitor } from './visitor.ts'

type Listener = Visitor & { id: string; email: string }

/** A listener with a private profile and one of everything that a listener can have. */
export interface OwnerFixture {
  db: Database
  /** PUBLIC_URL of its server. */
  publicUrl: string
  owner: Listener
  /** Three songs; the first is rated a banger. */
  genre: MadeMicrogenre
  collection: { id: string; shareToken: string }
  achievement: { id: string; shareToken: string }
  mix: { id: string; shareToken: string }
  /** The header of a program with a token of one scope. */
  bearers: Record<Scope, { authorization: string }>
  /** Another listener, whose profile is public. */
  publicId: string
}

/** A text of the owner that others must not see while the profile is private. */
export const PRIVATE_BIO = 'A bio that is nobody’s business'

export async function makeOwnerFixture(app: TestApp): Promise<OwnerFixture> {
  const owner = await app.signIn()
  const genre = await makeMicrogenre(app.db, 3)
  const song = genre.songs[0] ?? ''
  await rate(owner, genre.id, song)
  const [won] = (await owner.call(checkAchievements)).body
  const { id } = (await owner.call(createCollection, { body: { name: 'Mornings', isPublic: true } })).body
  await owner.call(addCollectionItem, { params: { id }, body: { microgenreId: genre.id } })
  const collection = { id, ...(await owner.call(shareCollection, { params: { id } })).body }
  const achievementId = won?.id ?? ''
  const shared = await owner.call(shareAchievement, { params: { id: achievementId } })
  const mix = (await owner.call(createMix, { body: { name: 'Mornings', songIds: [song], isPublic: true } }))
    .body
  await owner.call(savePreferences, { body: QUESTIONNAIRE_ANSWERS })
  await owner.call(reportProgress, { body: { songId: song, secondsListened: 5, totalDuration: 30 } })
  await owner.call(updateProfile, { body: { firstName: 'Ada', bio: PRIVATE_BIO } })
  const bearers = {} as OwnerFixture['bearers']
  for (const scope of SCOPES) {
    const { token } = (await owner.call(createApiToken, { body: { name: scope, scopes: [scope] } })).body
    bearers[scope] = { authorization: `Bearer ${token}` }
  }
  const [row] = await app.db<{ id: string }[]>`
    insert into users (email, is_public) values (${`public-${owner.id}@example.test`}, true) returning id`
  if (!row) throw new Error('An insert gave no row.')
  return {
    db: app.db,
    publicUrl: app.url.replace('127.0.0.1', 'localhost'),
    owner,
    genre,
    collection,
    achievement: { id: achievementId, ...shared.body },
    mix: { id: mix.id, shareToken: mix.shareToken ?? '' },
    bearers,
    publicId: row.id,
  }
}

/** Answers to the questionnaire. */
export const QUESTIONNAIRE_ANSWERS = {
  energyPreference: 'slow',
  vocalPreference: 'both',
  familiarityLevel: 'indie',
  musicMood: 'ambient',
} as const
