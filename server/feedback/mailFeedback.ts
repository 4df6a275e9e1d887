import type { Database } from '../db/connection.ts'
import { countUse, defineLimit, isReached } from '../http/limits/limits.ts'
import type { Mailer } from '../integrations/mailer.ts'
import { limitRefusals } from '../processMetrics.ts'
import { replyAddress } from './feedback.ts'

/** So that a flood does not use up the mail server, which also sends sign-in links. */
const MAILS_PER_DAY = defineLimit({
  name: 'messages-mailed',
  max: 200,
  seconds: 86_400,
  message: 'Too many messages were mailed today.',
  counts: 'mailed messages',
  per: 'all',
})

interface Pending {
  id: string
  isVisitor: boolean
  /** Null for a listener who wants no e-mails. */
  email: string | null
  message: string
}

/**
 * Mails unsent feedback, oldest first, one message at a time. A message that the mail server rejects is retried after
 * 1, 2, 4 … minutes, at most 6 hours apart, and so is one beyond the day's limit.
 */
export async function mailPendingFeedback(
  db: Database,
  mailer: Pick<Mailer, 'send'>,
  operator: string,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const [pending] = await claimNext(db)
    if (!pending) return
    const group = pending.isVisitor ? 'visitors' : 'listeners'
    if (await isReached(db, MAILS_PER_DAY, group)) {
      limitRefusals.inc({ limit: MAILS_PER_DAY.name })
      continue
    }
    const isAccepted = await mailer.send({
      to: operator,
      ...(pending.email === null ? {} : { replyTo: pending.email }),
      subject: 'Feedback on Banger or Bust',
      text: `From: ${pending.email ?? 'a listener who wants no e-mails'}\n\n${pending.message}\n`,
    })
    if (!isAccepted) continue
    await db`update feedback set mailed_at = now() where id = ${pending.id}`
    await countUse(db, MAILS_PER_DAY, group)
  }
}

/** The next attempt is stored before this one starts, so that a server that crashes does not mail in a loop. */
async function claimNext(db: Database): Promise<Pending[]> {
  return db<Pending[]>`
    update feedback f set
      attempts = f.attempts + 1,
      next_attempt_at = now() + least(power(2, least(f.attempts, 10)), 360) * interval '1 minute'
    where f.id = (
      select id from feedback where mailed_at is null and next_attempt_at <= now()
      order by id limit 1 for update skip locked)
    returning f.id, f.user_id is null as is_visitor, ${replyAddress(db)} as email, f.message`
}
