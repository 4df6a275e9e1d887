import { sharePath } from '../../contract/sharing.ts'
import { print } from '../process/log.ts'
import { revokeBlindRound } from '../sharing/blindRounds.ts'
import { isShareToken, revokeShareToken } from '../sharing/shareTokens.ts'
import { CommandError, runCommand, showUsage } from './runCommand.ts'

/** `npm run share -- revoke TOKEN`: disables a share link. TOKEN may be the whole address. */
const [command, link = ''] = process.argv.slice(2)
const token = link.split('/').at(-1) ?? ''

if (command === 'revoke' && isShareToken(token)) {
  await runCommand(process.env, async (_, { db }) => {
    const revoked = await revokeShareToken(db, token)
    if (revoked) {
      const { kind, targetId, userId } = revoked
      return print(
        `${sharePath(kind, token)} no longer works. It shared ${kind} ${targetId} of listener ${userId}.`,
      )
    }
    const maker = await revokeBlindRound(db, token)
    if (!maker) throw new CommandError('No link has this token.')
    print(`${sharePath('blind', token)} no longer works. It shared the blind round of listener ${maker}.`)
  })
} else {
  showUsage('Usage: npm run share -- revoke TOKEN\nTOKEN is the last part of the link, or the whole link.')
}
