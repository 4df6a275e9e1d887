import nodemailer from 'nodemailer'
import type { Logger } from 'pino'
import type { Env } from '../env.ts'
import { serviceCalls } from '../processMetrics.ts'
import { isLoopbackHost } from '../settings.ts'

export interface Mail {
  to: string
  subject: string
  /** Plain text: what people type is never sent as HTML. */
  text: string
  replyTo?: string
}

export interface Mailer {
  /** False when no mail server is configured or it did not accept the message in time. */
  send(mail: Mail): Promise<boolean>
  /** Null when the mail server accepts our credentials, else the reason, without secrets. */
  findFault(): Promise<string | null>
}

/** Milliseconds for each step with the mail server, because a listener is waiting. */
const STEP_TIMEOUT = 3000

export function createMailer(env: Env, log: Logger): Mailer {
  if (!env.SMTP_URL) return { send: async () => false, findFault: async () => 'not configured' }
  const { protocol, hostname, searchParams } = new URL(env.SMTP_URL)
  const isRelay = isLoopbackHost(hostname) || searchParams.get('ignoreTLS') === 'true'
  const transport = nodemailer.createTransport(
    {
      url: env.SMTP_URL,
      // Without it, an attacker in the network could strip STARTTLS and read the links.
      requireTLS: protocol === 'smtp:' && !isRelay,
      connectionTimeout: STEP_TIMEOUT,
      greetingTimeout: STEP_TIMEOUT,
      socketTimeout: STEP_TIMEOUT,
    },
    { from: env.MAIL_FROM },
  )
  const service = 'Mail'
  // The rate of a counter that begins with a failure would miss it.
  for (const result of ['answered', 'failed']) serviceCalls.inc({ service, result }, 0)
  return {
    async send(mail) {
      try {
        await transport.sendMail(mail)
        serviceCalls.inc({ service, result: 'answered' })
        return true
      } catch (error) {
        serviceCalls.inc({ service, result: 'failed' })
        log.error({ code: codeOf(error) }, 'the mail server did not accept a message')
        return false
      }
    },
    async findFault() {
      try {
        await transport.verify()
        return null
      } catch (error) {
        return codeOf(error)
      }
    },
  }
}

/** A code such as EAUTH: the server's message may repeat credentials. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
