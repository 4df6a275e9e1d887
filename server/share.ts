import { sharePath } from '../contract/sharing.ts'
import { openBeside } from './db/openBeside.ts'
import { readEnv } from './env.ts'
import { say } from './say.ts'
import { isShareToken, revokeToken } from './sharing/shareTokens.ts'

/** `npm run share -- revoke TOKEN`: the operator ends a share link. TOKEN may be the whole address. */
const [command, given = ''] = process.argv.slice(2)
const token = given.split('/').at(-1) ?? ''

if (command !== 'revoke' || !isShareToken(token)) {
  console.error(
    'Usage: npm run share -- revoke TOKEN\nTOKEN is the last part of the link, or the whole link.',
  )
  process.exit(2)
}

await revoke().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function revoke(): Promise<void> {
  const { db, close } = await openBeside(readEnv(process.env))
  try {
    const revoked = await revokeToken(db, token)
    if (revoked) {
      say(
        `${sharePath(revoked.kind, token)} leads nowhere now. It showed ${revoked.kind} ${revoked.targetId} of listener ${revoked.userId}.`,
      )
    } else {
      say('No link has this token.')
      process.exitCode = 1
    }
  } finally {
    await close()
  }
}
