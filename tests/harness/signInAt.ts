import { followMagicLink, sendMagicLink } from '../../contract/auth.ts'
import { type Visitor, visitorAt } from './visitor.ts'

/** A visitor who signed in at a server, through a real link. */
export async function signInAt(url: string, email: string): Promise<Visitor> {
  const visitor = visitorAt(url)
  const { body } = await visitor.call(sendMagicLink, { body: { email } })
  await visitor.raw(followMagicLink.path + new URL(body.magicLink ?? '').search)
  return visitor
}
