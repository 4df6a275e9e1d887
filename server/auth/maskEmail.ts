import { domainToUnicode } from 'node:url'

/**
 * An address that only its owner recognises, such as 'j…e@example.org': of the part before the @ the first and last
 * character, of a short one fewer.
 */
export function maskEmail(address: string): string {
  return (readableEmail(address) ?? '').replace(/^.*(?=@)/, (local) =>
    local.length < 3 ? `${local.slice(0, -1)}…` : `${local.at(0)}…${local.at(-1)}`,
  )
}

/** An address as its owner writes it: an international domain is stored in its ASCII form. */
export function readableEmail(address: string | null): string | null {
  const [, local, domain] = /^(.*@)(.*)$/.exec(address ?? '') ?? []
  return local && domain ? local + (domainToUnicode(domain) || domain) : address
}
