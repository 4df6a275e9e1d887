import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import type { Feedback, Score, Trouble } from '../integrations/listenbrainzAccounts.ts'
import { type Link, linkColumns, markRefused } from './links.ts'
import { openToken } from './sealToken.ts'

/** Ratings of one listener in a run, before it is the next one's turn. */
const BATCH_SIZE = 50

/** Beyond so many, or after an import, it first reads what is there: loves that are keep their date. */
const WORTH_READING = 10

/** Links in a row that fail before the others wait for the next run: the service may be down. */
const MAX_FAILURES = 3

/** Milliseconds after which all is compared again. */
const COMPARE_INTERVAL = 3_600_000

interface DueLink extends Link {
  /** By the database's clock, before anything was read. */
  now: Date
}

/** 'unread': what is there could not be read, and nothing was sent. */
type Outcome = 'unchanged' | 'up to date' | 'more' | 'unlinked' | 'stopped' | 'unread' | Trouble

/**
 * Sends what changed in the ratings of linked listeners (library-34). Without a queue: a listener's ratings are compared with
 * what was sent, so nothing is missed, whenever this ends, and the last word is what is sent.
 */
export async function sendRatings(
  context: Pick<Context, 'db' | 'env' | 'integrations' | 'secret' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = context
  let failures = 0
  while (!signal.aborted) {
    const [link] = await db<DueLink[]>`
      select ${linkColumns(db)}, now() as now from listenbrainz_links l
      where refused_at is null and next_at <= now() and ${isActive(db)}
      order by next_at limit 1`
    if (!link) return
    const outcome = await sendRatingsOf(context, link, signal)
    if (outcome === 'stopped') return
    if (outcome === 'refused') {
      await markRefused(db, link)
      log.info({ listener: link.userId }, 'a token of ListenBrainz is refused')
      continue
    }
    const minutes = MINUTES_UNTIL_NEXT[outcome] ?? null
    // All is compared an hour after the last time, and at once after a failure.
    await db`
      update listenbrainz_links set
        compared_at = case when ${outcome} in ('unchanged', 'unread') then compared_at when ${outcome} = 'up to date' then ${link.now}::timestamptz end,
        failures = case when ${minutes}::int is null then failures + 1 else 0 end,
        next_at = now() + interval '1 minute' * coalesce(${minutes}::int, least(power(2, least(failures, 6)), 60))
      where user_id = ${link.userId} and token = ${link.token} and sends_busts = ${link.sendsBusts}`
    // The others come first when it answers again.
    failures = minutes === null ? failures + 1 : 0
    if (failures === MAX_FAILURES) return
  }
}

/** After any other outcome the pause doubles, up to an hour. */
const MINUTES_UNTIL_NEXT: Partial<Record<Outcome, number>> = {
  more: 0,
  unchanged: 1,
  'up to date': 1,
  unlinked: 1,
}

async function sendRatingsOf(
  { db, env, integrations, secret }: Pick<Context, 'db' | 'env' | 'integrations' | 'secret'>,
  link: DueLink,
  signal: AbortSignal,
): Promise<Outcome> {
  const { userId, userName } = link
  const token = await openToken(secret, { listener: userId, service: env.LISTENBRAINZ_URL }, link.token)
  if (token === null) return 'refused'
  if (!(await hasChanged(db, link))) return 'unchanged'
  const { readFeedback, sendFeedback } = integrations.listenbrainzAccounts

  let changes = await findChanges(db, link)
  const isFirst = !(await hasSent(db, link))
  const isWorthReading =
    isFirst ||
    changes.some(({ isImported }) => isImported) ||
    (link.comparedAt !== null && changes.length > WORTH_READING)
  if (changes.length > 0 && isWorthReading) {
    const answer = await readFeedback(token, userName, toScores, { signal })
    if ('trouble' in answer) return answer.trouble === 'refused' ? 'refused' : 'unread'
    const there = new Map(answer.value.flat())
    const isThere = ({ mbid, score }: Change) => (there.get(mbid) ?? 0) === score
    // What is imported is looked for once, however many batches follow.
    const known = changes.flatMap((change) =>
      isThere(change) ? change : change.isImported ? { mbid: change.mbid, score: null } : [],
    )
    if (!(await storeSent(db, link, known))) return 'unlinked'
    changes = changes.filter((change) => !isThere(change))
  }

  const batch = changes.slice(0, BATCH_SIZE)
  // What is sent and not answered may be there, and a change of mind must reach it.
  const pending = batch.map(({ mbid }) => ({ mbid, score: null }))
  if (!(await storeSent(db, link, pending))) return 'unlinked'
  for (const change of batch) {
    if (signal.aborted) return 'stopped'
    const answer = await sendFeedback(token, change.mbid, change.score)
    // A recording that it does not take stays rejected.
    if ('trouble' in answer && answer.trouble !== 'rejected') return answer.trouble
    if (!(await storeSent(db, link, [change], 'trouble' in answer))) return 'unlinked'
  }
  return changes.length > BATCH_SIZE ? 'more' : 'up to date'
}

/**
 * Whether all has to be compared: after a rating, an undo or a removal, which another session may have begun a minute before,
 * and every hour, because a song may have got a recording, and an import has dates of its own.
 */
async function hasChanged(db: Database, { userId, comparedAt, now }: DueLink): Promise<boolean> {
  if (!comparedAt) return true
  const since = new Date(comparedAt.getTime() - 60_000)
  if (now.getTime() - comparedAt.getTime() > COMPARE_INTERVAL) return true
  const [row] = await db`
    select from ratings where user_id = ${userId} and rated_at > ${since} and rated_at > '-infinity'
    union all select from undone_ratings where user_id = ${userId} and undone_at > ${since} limit 1`
  return row !== undefined
}

const toScores = (page: Feedback[]) =>
  page.map(({ recording_mbid, score }): [string | null | undefined, Score] => [recording_mbid, score])

interface Change {
  mbid: string
  score: Score
  /** It may come from there, where it was not looked for yet. */
  isImported: boolean
}

/** Ratings that differ from what was sent. The tables are on different nodes of a cluster, so there are two statements. */
async function findChanges(db: Database, { userId, sendsBusts }: Link): Promise<Change[]> {
  const wanted = await db<{ mbid: string; score: number; isImported: boolean }[]>`
    select s.recording_mbid as mbid, case when r.banger then 1 else -1 end as score,
      r.import_id is not null as is_imported
    from ratings r join songs s on s.id = r.song_id
    where r.user_id = ${userId} and r.rated_at > '-infinity' and s.recording_mbid is not null
      and (r.banger or ${sendsBusts})`
  return db<Change[]>`
    select coalesce(w.mbid, s.recording_mbid) as mbid, coalesce(w.score, 0) as score,
      coalesce(w.imported, false) and s.recording_mbid is null as is_imported
    from unnest(${wanted.map(({ mbid }) => mbid)}::text[], ${wanted.map(({ score }) => score)}::int[],
      ${wanted.map(({ isImported }) => isImported)}::boolean[]) w (mbid, score, imported)
    full join (select recording_mbid, score from listenbrainz_sent where user_id = ${userId}) s
      on s.recording_mbid = w.mbid
    where s.score is distinct from w.score or s.recording_mbid is not null and s.score is null`
}

async function hasSent(db: Database, { userId }: Link): Promise<boolean> {
  const [row] = await db`select from listenbrainz_sent where user_id = ${userId} limit 1`
  return row !== undefined
}

/** Of a listener who is not suspended. */
const isActive = (db: Database) =>
  db`exists (select from users u where u.id = l.user_id and u.suspended_at is null)`

/** False when the listener has unlinked the account, linked another, or is suspended or gone. */
async function storeSent(
  db: Database,
  { userId, token }: Link,
  changes: { mbid: string; score: Score | null }[],
  isRejected = false,
): Promise<boolean> {
  if (changes.length === 0) return true
  const [link] = await db`
    with link as (
      select user_id from listenbrainz_links l where user_id = ${userId} and token = ${token}
        and ${isActive(db)} for key share),
    change as (
      select mbid, score
      from unnest(${changes.map(({ mbid }) => mbid)}::text[], ${changes.map(({ score }) => score)}::int[])
        c (mbid, score)),
    gone as (
      delete from listenbrainz_sent s using link l, change c
      where s.user_id = l.user_id and s.recording_mbid = c.mbid and c.score = 0),
    stored as (
      insert into listenbrainz_sent (user_id, recording_mbid, score, is_rejected)
      select user_id, mbid, score, ${isRejected} from link, change where score is distinct from 0
      on conflict (user_id, recording_mbid) do update set score = excluded.score, is_rejected = excluded.is_rejected)
    select from link`
  return link !== undefined
}
