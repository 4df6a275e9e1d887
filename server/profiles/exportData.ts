import { Readable } from 'node:stream'
import { sharePath } from '../../contract/sharing.ts'
import { getCurrentUser } from '../auth/accounts.ts'
import { listApiTokens } from '../auth/apiTokens.ts'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { type Answer, fileDownload } from '../http/answers.ts'
import { readDataLists } from './dataLists.ts'

/** Everything stored about a listener, as one JSON object, streamed (people-23). */
export function exportData(db: Database, env: Env, listener: string): Answer {
  return fileDownload(
    'application/json; charset=utf-8',
    Readable.from(writeData(db, env, listener), { highWaterMark: 1 }),
    'banger-or-bust-data.json',
  )
}

/** The text in pieces, each of one batch of rows at most. */
export async function* writeData(db: Database, env: Env, listener: string): AsyncGenerator<string> {
  yield `{\n"exportedAt": ${JSON.stringify(new Date())}`
  for (const [name, value] of Object.entries(await readAccountData(db, env, listener)))
    yield `,\n"${name}": ${JSON.stringify(value)}`
  for (const [name, batches] of Object.entries(readDataLists(db, env, listener))) {
    yield `,\n"${name}": [`
    let separator = '\n'
    for await (const rows of batches) {
      yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
      separator = ',\n'
    }
    yield ']'
  }
  yield '\n}\n'
}

/** What an account has once: profile, figures, answers and ways to sign in (people-23). */
async function readAccountData(db: Database, env: Env, listener: string): Promise<Record<string, unknown>> {
  const { profileImageUrl, ...profile } = await getCurrentUser(db, listener)
  return {
    profile: {
      ...profile,
      photo: profileImageUrl && new URL(profileImageUrl.replace(/^\//, ''), `${env.publicUrl}/`).href,
      ...(await readOperatorGrants(db, listener)),
    },
    figures: await readFigures(db, listener),
    questionnaire: await readAnswers(db, listener),
    providers: await readProviders(db, listener),
    passkeys: await readPasskeys(db, listener),
    apiTokens: (await listApiTokens(db, listener)).map(({ id: _, ...token }) => token),
    providerPicture: await readProviderPicture(db, listener),
    listenbrainz: await readListenbrainz(db, listener),
    blindRound: await readBlindRound(db, env, listener),
  }
}

/** What operators granted: access to the desk, and the invitation that created the account. */
async function readOperatorGrants(db: Database, listener: string) {
  const [row] = await db<{ isSteward: boolean; invitation: string | null }[]>`
    select u.is_steward, coalesce(i.note, 'Invitation ' || i.id) as invitation
    from users u left join invitations i on i.id = u.invitation_id where u.id = ${listener}`
  return { isSteward: row?.isSteward ?? false, invitation: row?.invitation ?? null }
}

interface Figures {
  totalRatings: number
  totalBangers: number
  streak: number
  genresRated: number
  lastRatedOn: string | null
  taste: number[] | null
  lenience: number
}

async function readFigures(db: Database, listener: string) {
  const [row] = await db<Figures[]>`
    select s.total_ratings, s.total_bangers, s.streak, s.genres_rated, d.day::text as last_rated_on,
      case when s.taste_run is not null then array[s.t1, s.t2, s.t3, s.t4] end as taste, s.lenience
    from listener_stats s left join listener_last_days d on d.user_id = s.user_id
    where s.user_id = ${listener}`
  return row ?? null
}

interface Answers {
  energyPreference: string
  vocalPreference: string
  familiarityLevel: string
  musicMood: string
  updatedAt: Date
}

async function readAnswers(db: Database, listener: string) {
  const [row] = await db<Answers[]>`
    select energy_preference, vocal_preference, familiarity_level, music_mood, updated_at
    from preferences where user_id = ${listener}`
  return row ?? null
}

interface Provider {
  provider: string
  subject: string
  claimedEmail: string | null
  createdAt: Date
}

async function readProviders(db: Database, listener: string) {
  return db<Provider[]>`
    select provider, subject, claimed_email, created_at from identities
    where user_id = ${listener} order by created_at`
}

interface PasskeyRow {
  name: string
  transports: string[]
  createdAt: Date
  lastUsedAt: Date | null
}

/** Without their keys and ids, which mean nothing elsewhere. */
async function readPasskeys(db: Database, listener: string) {
  return db<PasskeyRow[]>`
    select name, transports, created_at, last_used_at from passkeys where user_id = ${listener} order by id`
}

async function readProviderPicture(db: Database, listener: string) {
  const [row] = await db<{ address: string; createdAt: Date }[]>`
    select address, created_at from provider_pictures where user_id = ${listener}`
  return row ?? null
}

interface ListenbrainzRow {
  userName: string
  sendsBusts: boolean
  createdAt: Date
  /** Scores by recording, as they were sent. */
  sent: Record<string, number>
}

/** Without the token. */
async function readListenbrainz(db: Database, listener: string) {
  const [row] = await db<ListenbrainzRow[]>`
    select l.user_name, l.sends_busts, l.created_at, coalesce(
      (select json_object_agg(s.recording_mbid, s.score) from listenbrainz_sent s where s.user_id = l.user_id and s.score is not null and not s.is_rejected),
      '{}') as sent
    from listenbrainz_links l where l.user_id = ${listener}`
  return row ?? null
}

/** Its songs, and what visitors showed (sharing-33). */
async function readBlindRound(db: Database, { publicUrl }: Env, listener: string) {
  const [row] = await db<{ token: string; songs: object[]; results: object[]; createdAt: Date }[]>`
    select r.token, r.results, r.created_at, coalesce(
      (select json_agg(json_build_object('title', s.title, 'artist', s.artist) order by s.id)
       from songs s where s.id = any(r.song_ids)), '[]') as songs
    from blind_rounds r where r.user_id = ${listener}`
  if (!row) return null
  const { token, ...round } = row
  return { ...round, link: publicUrl + sharePath('blind', token) }
}
