import { domainToUnicode } from 'node:url'

/** An address as its owner writes it: kept with its international domain in the form in which mail is sent. */
export function readableEmail(address: string | null): string | null {
  const [, local, domain] = /^(.*@)(.*)$/.exec(address ?? '') ?? []
  return local && domain ? local + (domainToUnicode(domain) || domain) : address
}
