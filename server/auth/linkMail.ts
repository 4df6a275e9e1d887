import { HttpError } from '../http/HttpError.ts'
import type { Mailer } from '../integrations/mailer.ts'
import { LINK_MINUTES } from './cookies.ts'

/** @throws HttpError 502 when the mail server rejects the message. */
export async function sendLinkMail(mailer: Mailer, to: string, link: string): Promise<void> {
  const isAccepted = await mailer.send({
    to,
    subject: 'Your sign-in link for Banger or Bust',
    text: [
      'Press this link to sign in to Banger or Bust:',
      '',
      link,
      '',
      `It works once, for ${LINK_MINUTES} minutes. If you did not request it, you can ignore this message.`,
    ].join('\n'),
  })
  if (!isAccepted)
    throw new HttpError(502, 'The e-mail could not be sent. Please try again in a few minutes.')
}
