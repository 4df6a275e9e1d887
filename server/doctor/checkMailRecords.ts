import { domainToASCII } from 'node:url'
import type { Env } from '../env.ts'
import type { DnsAnswer, DnsRecords } from '../integrations/ownDomain.ts'
import { type Finding, findingsFor } from './finding.ts'

/* Whether others accept mail from MAIL_FROM as ours: https://datatracker.ietf.org/doc/html/rfc7489 and what it names. */

/** Checks the records of the sender's domain. */
export async function checkMailRecords(env: Env, dns: DnsRecords): Promise<Finding[]> {
  const { off, warning } = findingsFor('Sender')
  if (!env.SMTP_URL) return [off('no mail is sent: SMTP_URL is not set')]
  const domain = domainOf(env.MAIL_FROM)
  if (!domain?.includes('.') || domain.endsWith('.localhost')) {
    return [
      warning(
        `MAIL_FROM is ${env.MAIL_FROM}: set it to an address of your domain, or others reject the mail`,
      ),
    ]
  }
  return Promise.all([
    checkSender(domain, dns),
    checkSpf(domain, dns),
    checkDkim(domain, dns),
    checkDmarc(domain, env, dns),
  ])
}

/** The domain of `Name <name@example.org>`. */
function domainOf(from: string): string | null {
  const [, domain = ''] = /@([^\s<>@]+)>?\s*$/.exec(from) ?? []
  return domainToASCII(domain) || null
}

async function checkSender(domain: string, dns: DnsRecords): Promise<Finding> {
  const { ok, warning } = findingsFor('Sender')
  const [mx, addresses] = await Promise.all([dns.mx(domain), dns.addresses(domain)])
  if ('failure' in mx) return warning(lookupFailure(domain, mx.failure))
  if ('failure' in addresses) return warning(lookupFailure(domain, addresses.failure))
  const hosts = mx.records.filter((host) => host !== '.')
  if (hosts.length > 0) return ok(`${domain} receives mail at ${sanitizeRecord(hosts[0])}`)
  if (mx.records.length === 0 && addresses.records.length > 0)
    return ok(`${domain} exists; it has no MX record, so nobody can answer`)
  return warning(
    `${domain} receives no mail, and many servers reject a sender to whom they cannot answer: add an MX record`,
  )
}

async function checkSpf(domain: string, dns: DnsRecords): Promise<Finding> {
  const { ok, warning } = findingsFor('SPF')
  const found = withTag(await dns.txt(domain), /^v=spf1( |$)/i)
  if ('failure' in found) return warning(lookupFailure(domain, found.failure))
  const [record, ...others] = found.records
  if (record === undefined) {
    return warning(
      `${domain} has none: publish the TXT record that your mail provider names, such as "v=spf1 include:… -all"`,
    )
  }
  if (others.length > 0) {
    return warning(`${domain} has ${others.length + 1} records, so none of them counts: make one of them`)
  }
  if (/(^| )\+?all( |$)/i.test(record)) {
    return warning(
      `${domain} allows everybody to send (${sanitizeRecord(record)}): end the record with -all or ~all`,
    )
  }
  return ok(`${domain} has ${sanitizeRecord(record)}`)
}

/** Default selectors of mail servers and providers. DNS cannot list those of a domain. */
const SELECTORS = [
  ...['default', 'dkim', 'mail', 'smtp', 'key1', 's1', 's2', 'k1', 'k2', 'k3', 'm1', 'mx'],
  ...[
    'google',
    'selector1',
    'selector2',
    'fm1',
    'fm2',
    'fm3',
    'protonmail',
    'zoho',
    'pm',
    'mandrill',
    'resend',
  ],
]

async function checkDkim(domain: string, dns: DnsRecords): Promise<Finding> {
  const { ok, off, warning } = findingsFor('DKIM')
  const answers = await Promise.all(
    SELECTORS.map(async (selector) => ({
      selector,
      found: await dns.txt(`${selector}._domainkey.${domain}`),
    })),
  )
  const keys = answers.filter(
    ({ found }) => 'records' in found && found.records.some((record) => /(^|;)\s*p=[^;\s]/i.test(record)),
  )
  if (keys.length > 0) {
    const names = keys.map(({ selector }) => selector).join(', ')
    return ok(`${domain} has a key at ${names}; the mail server has to sign with it`)
  }
  const failed = answers.map(({ found }) => found).find((found) => 'failure' in found)
  if (failed && 'failure' in failed) return warning(lookupFailure(domain, failed.failure))
  return off(
    `no key is at a usual selector of ${domain}: mail yourself a sign-in link, and look for dkim=pass with header.d=${domain} in its source`,
  )
}

async function checkDmarc(domain: string, env: Env, dns: DnsRecords): Promise<Finding> {
  const { ok, warning } = findingsFor('DMARC')
  const labels = domain.split('.')
  // A domain without a record inherits that of its parent domain.
  for (let from = 0; from <= labels.length - 2; from++) {
    const name = `_dmarc.${labels.slice(from).join('.')}`
    const found = withTag(await dns.txt(name), /^v=DMARC1\s*(;|$)/i)
    if ('failure' in found) return warning(lookupFailure(domain, found.failure))
    const [record, ...others] = found.records
    if (record === undefined) continue
    if (others.length > 0) return warning(`${name} has several records, so none of them counts: keep one`)
    const [, policy] = /;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i.exec(record) ?? []
    if (!policy) return warning(`${name} has no valid policy (${sanitizeRecord(record)}): add p=none`)
    const next =
      policy.toLowerCase() === 'none' ? '; once reports are good, p=quarantine stops forgeries' : ''
    return ok(`${name} has ${sanitizeRecord(record)}${next}`)
  }
  const report = env.CONTACT_EMAIL ?? `postmaster@${domain}`
  return warning(
    `${domain} has none, so large providers reject its mail: publish _dmarc.${domain} TXT "v=DMARC1; p=none; rua=mailto:${report}"`,
  )
}

/** Keeps the records that begin with a tag, because a domain has TXT records of many kinds. */
function withTag(found: DnsAnswer, tag: RegExp): DnsAnswer {
  return 'failure' in found ? found : { records: found.records.filter((record) => tag.test(record)) }
}

/** Others wrote the records, so control characters and length are limited. */
const sanitizeRecord = (record = '') => record.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)

const lookupFailure = (domain: string, failure: string) =>
  `${domain} could not be looked up (${failure}): check the DNS of this machine, or set DNS_SERVERS`
