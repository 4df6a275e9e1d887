import type { Env } from '../env.ts'
import type { Mailer } from '../integrations/mailer.ts'

/** Tells a listener that their account has a new way to sign in. Nobody waits for the mail, whose failure is logged. */
export function mailNewWay(
  mailer: Mailer,
  { SMTP_URL, publicUrl }: Env,
  to: string | null,
  what: string,
): void {
  if (to === null || !SMTP_URL) return
  void mailer.send({
    to,
    subject: 'A new way to sign in to your Banger or Bust account',
    text: [
      what,
      '',
      `If this was not you, open ${publicUrl}/profile, remove passkeys that you do not know, and sign out everywhere.`,
    ].join('\n'),
  })
}
