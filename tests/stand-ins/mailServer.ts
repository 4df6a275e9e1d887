import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A real SMTP server on loopback that stores its mail. */
export interface MailServer {
  /** For SMTP_URL. */
  url: string
  mails: { to: string[]; text: string }[]
  /** While true, it rejects every mailbox. */
  refusing: boolean
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_, __, done) => done(mailServer.refusing ? new Error('no such mailbox') : null),
    onData(stream, { envelope }, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        mailServer.mails.push({ to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  // A client that disconnects must not fail the test that is running.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    refusing: false,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
  return mailServer
}
