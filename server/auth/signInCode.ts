import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH } from '../../contract/signInCode.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { defineLimit, enforceLimit, returnUse } from '../http/limits/limits.ts'
import { hashToken } from './tokens.ts'

/** Tries of one code. */
const MAX_CODE_TRIES = 5

const WRONG = 'This code is wrong. Please compare it with your newest mail.'
const TOO_OFTEN = `This code was wrong ${MAX_CODE_TRIES} times and does not work any more. The link in the mail still does.`
const USED = 'This code or its link was used already. Send yourself a new one.'
const EXPIRED = 'This code has expired. Send yourself a new one.'

const CODE_LIMIT = {
  seconds: 86_400,
  message: 'Too many codes were tried today. Please use the link in the mail.',
  counts: 'tries of sign-in codes',
}
/*
 * A guess finds one code in a million. Five for each link would be 2,400 a day for each address and network, 9,600 for
 * a network, and any number for an address from many networks. So 20 a day for an address, from wherever: 0.7 % in a
 * year of daily guessing. And 100 wrong ones a day for a network, at whatever addresses: 3.6 %. Right ones do not count:
 * many people share a network. Whoever uses up somebody's tries leaves them the link.
 */
const CODES_PER_ADDRESS = defineLimit({ ...CODE_LIMIT, name: 'code-address', max: 20, per: 'address' })
const CODES_PER_IP = defineLimit({ ...CODE_LIMIT, name: 'code-ip', max: 100, per: 'network' })

/** Six random digits, in two groups as people read them: `123 456`. */
export function newCode(): string {
  const digits = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
  return `${digits.slice(0, 3)} ${digits.slice(3)}`
}

/** The browser's secret is the key: who reads the table cannot try all codes. */
export function hashCode(browserToken: string, code: string): Buffer {
  return createHmac('sha256', browserToken).update(code.replace(' ', '')).digest()
}

/**
 * Returns the hash of the link whose code this is. `browserToken` is the cookie of the browser that types it.
 * @throws HttpError 403 when the code is wrong, as in every other browser, or does not work any more; 429.
 */
export async function checkCode(
  db: Database,
  code: string,
  { browserToken = '', network }: { browserToken: string | undefined; network: string },
): Promise<Buffer> {
  await enforceLimit(db, CODES_PER_IP, network)
  const browserHash = hashToken(browserToken)
  const [link] = await db<{ email: string; used: boolean; expired: boolean }[]>`
    select email, used_at is not null as used, expires_at <= now() as expired
    from sign_in_tokens where browser_hash = ${browserHash}`
  if (!link) throw new HttpError(403, WRONG)
  if (link.used || link.expired) throw new HttpError(403, link.used ? USED : EXPIRED)
  await enforceLimit(db, CODES_PER_ADDRESS, link.email)
  // Counted before it is compared, so that of concurrent tries only five are compared.
  const [tried] = await db<{ tokenHash: Buffer; codeHash: Buffer | null; codeTries: number }[]>`
    update sign_in_tokens set code_tries = code_tries + 1
    where browser_hash = ${browserHash} and code_tries < ${MAX_CODE_TRIES}
    returning token_hash, code_hash, code_tries`
  if (tried?.codeHash && timingSafeEqual(tried.codeHash, hashCode(browserToken, code))) {
    await returnUse(db, CODES_PER_IP, network)
    return tried.tokenHash
  }
  throw new HttpError(403, tried && tried.codeTries < MAX_CODE_TRIES ? WRONG : TOO_OFTEN)
}
