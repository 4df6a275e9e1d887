import { domainToUnicode } from 'node:url'

/** An address as its owner writes it: an international domain is stored in its ASCII form. */
export function readableEmail(address: string | null): string | null {
  const [, local, domain] = /^(.*@)(.*)$/.exec(address ?? '') ?? []
  return local && domain ? local + (domainToUnicode(domain) || domain) : address
}
