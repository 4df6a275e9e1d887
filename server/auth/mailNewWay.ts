import type { Context } from '../context.ts'

/** Tells a listener of a new way to sign in, unless they chose 'No e-mails' (people-24). Nobody waits for the mail. */
export async function mailNewWay(
  { db, env, integrations }: Context,
  userId: string,
  what: string,
): Promise<void> {
  if (!env.SMTP_URL) return
  const [owner] = await db<{ email: string | null }[]>`
    select email from users where id = ${userId} and not email_opt_out`
  if (!owner?.email) return
  void integrations.mailer.send({
    to: owner.email,
    subject: 'A new way to sign in to your Banger or Bust account',
    text: [
      what,
      '',
      `If this was not you, open ${env.publicUrl}/profile, remove passkeys that you do not know, and sign out everywhere.`,
    ].join('\n'),
  })
}
