import type { Listenbrainz } from '../../contract/listenbrainz.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import type { Trouble } from '../integrations/listenbrainzAccounts.ts'
import { openToken, sealToken } from './sealToken.ts'

export interface Link {
  userId: string
  userName: string
  token: string
  sendsBusts: boolean
  comparedAt: Date | null
}

/** Consecutive failures after which 'Your data' says so: about half an hour of retries. */
const MIN_FAILURES_SHOWN = 5

type LinkContext = Pick<Context, 'db' | 'env' | 'integrations' | 'secret'>

export async function describeLink(
  { db, integrations }: LinkContext,
  listener: string,
): Promise<Listenbrainz> {
  const service = integrations.listenbrainzAccounts.name
  const [link] = await db<Omit<NonNullable<Listenbrainz['link']>, 'waiting'>[]>`
    select user_name, sends_busts, refused_at is not null as is_refused, failures >= ${MIN_FAILURES_SHOWN} as is_failing,
      (select count(*)::int from listenbrainz_sent s
        where s.user_id = l.user_id and s.score is not null and not s.is_rejected) as sent
    from listenbrainz_links l where user_id = ${listener}`
  if (!link) return { service, link: null }
  const [bangers] = await db<{ waiting: number }[]>`
    select count(*)::int as waiting from ratings r join songs s on s.id = r.song_id
    where r.user_id = ${listener} and r.rated_at > '-infinity' and r.banger and s.recording_mbid is null`
  return { service, link: { ...link, waiting: bangers?.waiting ?? 0 } }
}

/**
 * Stores a token that the service accepts. What was sent to the same account before stays known.
 * @throws HttpError 400 when the service refuses it or keeps no loves, 502 when it does not answer.
 */
export async function linkAccount(context: LinkContext, listener: string, token: string): Promise<void> {
  const { db, env, integrations, secret } = context
  const { validate, proveFeedback, name } = integrations.listenbrainzAccounts
  const validated = await validate(token)
  if ('trouble' in validated) {
    if (validated.trouble === 'unsupported')
      throw new HttpError(400, `${name} is no such service: it cannot say whether a token is valid.`)
    throw explainTrouble(name, validated.trouble, 400)
  }
  const userName = validated.value
  const feedback = await proveFeedback(token, userName)
  if ('trouble' in feedback) throw explainTrouble(name, feedback.trouble, 400)
  const owner = { listener, service: env.LISTENBRAINZ_URL }
  const sealed = await sealToken(secret, owner, token)
  const [former] = await db<
    Link[]
  >`select ${linkColumns(db)} from listenbrainz_links where user_id = ${listener}`
  const isSame = former?.userName === userName && (await openToken(secret, owner, former.token)) !== null
  await db.begin(async (tx) => {
    if (!isSame) await tx`delete from listenbrainz_links where user_id = ${listener}`
    await tx`
      insert into listenbrainz_links (user_id, user_name, token) values (${listener}, ${userName}, ${sealed})
      on conflict (user_id) do update set user_name = excluded.user_name, token = excluded.token,
        refused_at = null, compared_at = null, next_at = now(), failures = 0`
  })
}

/** @throws HttpError 404 without a link */
export async function setSendsBusts(db: Database, listener: string, send: boolean): Promise<void> {
  const { count } = await db`
    update listenbrainz_links set sends_busts = ${send}, compared_at = null, next_at = least(next_at, now())
    where user_id = ${listener}`
  if (count === 0) throw notLinked()
}

export async function unlinkAccount(db: Database, listener: string): Promise<void> {
  await db`delete from listenbrainz_links where user_id = ${listener}`
}

/**
 * The link and its token in clear.
 * @throws HttpError 404 without a link, 409 when the token is refused.
 */
export async function requireLink(
  { db, env, integrations, secret }: LinkContext,
  listener: string,
): Promise<{ link: Link; token: string }> {
  const [link] = await db<(Link & { refusedAt: Date | null })[]>`
    select ${linkColumns(db)}, refused_at from listenbrainz_links where user_id = ${listener}`
  if (!link) throw notLinked()
  const owner = { listener, service: env.LISTENBRAINZ_URL }
  const token = link.refusedAt ? null : await openToken(secret, owner, link.token)
  if (token === null) throw explainTrouble(integrations.listenbrainzAccounts.name, 'refused')
  return { link, token }
}

export const linkColumns = (db: Database) => db`user_id, user_name, token, sends_busts, compared_at`

/** The listener reads it in 'Your data'. A token that was replaced meanwhile is no longer refused. */
export async function markRefused(db: Database, { userId, token }: Link): Promise<void> {
  await db`update listenbrainz_links set refused_at = now() where user_id = ${userId} and token = ${token}`
}

const notLinked = () => new HttpError(404, 'No account is linked. Link one in ‘Your data’ first.')

/** A token that is refused is bad input only where it is sent. */
export function explainTrouble(name: string, trouble: Trouble, refusedStatus = 409): HttpError {
  const [status, text] = {
    refused: [refusedStatus, 'refuses this token. Copy it again from your settings there.'] as const,
    unsupported: [400, 'accepts your token, but does not keep loves and playlists.'] as const,
    rejected: [400, 'rejects what was sent.'] as const,
    silent: [502, 'does not answer right now. Please try again in a few minutes.'] as const,
  }[trouble]
  return new HttpError(status, `${name} ${text}`)
}
