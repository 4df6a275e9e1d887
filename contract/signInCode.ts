import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Digits of the code in the mail. */
export const CODE_LENGTH = 6

export const redeemCode = endpoint('POST /api/auth/magic-link/code', {
  access: 'public',
  summary:
    'Signs in with the code that was mailed beside the link, in the browser that requested it (signin-29).',
  body: z.object({
    code: z.string().check(
      z.overwrite((code) => code.replace(/\s/g, '')),
      z.regex(/^\d{6}$/, 'must have six digits'),
    ),
  }),
  /** Where the link would lead: `/`, or the sign-in page with the reason why a right code did not sign in. */
  response: z.object({ location: z.string() }),
  fails: [403],
})
