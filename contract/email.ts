import * as z from 'zod/mini'

/** Characters of an address (RFC 5321 §4.5.3.1). */
const MAX_EMAIL_LENGTH = 254

/** RFC 5322 §3.2.3. Quoted local parts are rejected: they are rare, and mail forwarders break them. */
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const EMAIL_PATTERN = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)

/**
 * An e-mail address as people type it: trimmed, in lower case, and an international domain in the form in which mail
 * is sent (RFC 3492), so that one mailbox is one address.
 */
export const Email = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.overwrite(withAsciiDomain)),
  z
    .string()
    .check(z.maxLength(MAX_EMAIL_LENGTH, 'is too long'), z.regex(EMAIL_PATTERN, 'must be an e-mail address')),
)

/** The same check without zod, for the web application. */
export function isEmail(text: string): boolean {
  const address = withAsciiDomain(text.trim().toLowerCase())
  return address.length <= MAX_EMAIL_LENGTH && EMAIL_PATTERN.test(address)
}

/** Letters, digits and joiners, including some non-ASCII ones; the URL parser would accept more in a host. */
const INTERNATIONAL_DOMAIN =
  /^(?=.*\P{ASCII})(?:[\p{L}\p{M}\p{N}.\u3002\uFF0E\uFF61\u00B7-]|\u200C|\u200D)+$/u

/** An invalid domain stays unchanged, and is rejected later. */
function withAsciiDomain(address: string): string {
  const start = address.lastIndexOf('@') + 1
  const url = `http://${address.slice(start)}`
  if (
    address.length > MAX_EMAIL_LENGTH ||
    !INTERNATIONAL_DOMAIN.test(address.slice(start)) ||
    !URL.canParse(url)
  ) {
    return address
  }
  return address.slice(0, start) + new URL(url).hostname
}
