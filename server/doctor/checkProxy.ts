import { z } from 'zod'
import { getCurrentUser } from '../../contract/auth.ts'
import type { Env } from '../env.ts'
import { DOCTOR_HEADER, doctorToken } from '../http/health.ts'
import { fetchPublic, type PublicAnswer } from '../integrations/ownDomain.ts'
import { isLoopbackHost } from '../settings.ts'
import { type Finding, findingsFor, summarizeAdvice } from './finding.ts'

/** Checks what the proxy in front of the server forwards, by requests to PUBLIC_URL. */
export async function checkProxy(env: Env): Promise<Finding> {
  const part = 'Proxy'
  const { off, warning } = findingsFor(part)
  if (env.loopbackOnly && env.TRUST_PROXY === undefined)
    return off('PUBLIC_URL is this machine: there is no proxy to check')
  const live = new URL(`${env.publicUrl}/live`)
  const token = env.SESSION_SECRET && doctorToken(env.SESSION_SECRET)
  const answer = await fetchPublic(live, {
    'x-forwarded-for': FORGED_ADDRESS,
    ...(token && { [DOCTOR_HEADER]: token }),
  })
  const fault = findFault(answer)
  if (fault) {
    return warning(`${live} ${fault}: check that the server runs, and where DNS and the proxy lead`)
  }
  if (env.basePath && (await isPathLost(env))) {
    return warning(
      `the proxy removes ${env.basePath} from addresses, so the server finds nothing: let it pass addresses on unchanged`,
    )
  }
  return summarizeAdvice(
    part,
    [...adviceOnAddress(env), ...adviceOnTrust(env, answer), ...(await adviceOnAnswers(env, answer))],
    `${env.publicUrl} leads here, with what the server needs`,
  )
}

function findFault(answer: PublicAnswer): string | null {
  if ('failure' in answer) return `does not answer (${answer.failure})`
  if (answer.status === 200 && readLive(answer.text)) return null
  return answer.status === 200 ? 'gives the page of another program' : `answers ${answer.status}`
}

const liveAnswer = z.object({
  status: z.literal('ok'),
  arrival: z.object({ forwardedFor: z.array(z.string()), believed: z.number() }).optional(),
})

function readLive(text: string): z.infer<typeof liveAnswer> | null {
  try {
    return liveAnswer.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** /live also answers without the path of PUBLIC_URL. */
async function isPathLost({ publicUrl }: Env): Promise<boolean> {
  const answer = await fetchPublic(new URL(publicUrl + getCurrentUser.path))
  return 'status' in answer && answer.status === 404
}

function adviceOnAddress({ production, publicUrl }: Env): string[] {
  const { protocol, hostname } = new URL(publicUrl)
  if (!production || protocol === 'https:' || isLoopbackHost(hostname)) return []
  return ['PUBLIC_URL is http, so others on the way can read sign-in links and cookies: use https']
}

/** An address for documentation (RFC 5737), which stands for one that a client forges. */
const FORGED_ADDRESS = '192.0.2.1'

/** Checks that the server trusts as many addresses in X-Forwarded-For as proxies write. */
function adviceOnTrust(env: Env, answer: PublicAnswer): string[] {
  const { TRUST_PROXY, SESSION_SECRET } = env
  const arrival = 'text' in answer && readLive(answer.text)?.arrival
  if (!SESSION_SECRET) return adviceOnTrustSetting(env)
  if (!arrival)
    return ['the server has another SESSION_SECRET: run the doctor with the settings of the server']
  const { forwardedFor, believed } = arrival
  // A proxy appends an address, or replaces all of them.
  const proxies = forwardedFor.length - forwardedFor.indexOf(FORGED_ADDRESS) - 1
  if (proxies === 0 && believed === 0) return adviceOnTrustSetting(env)
  const setting = TRUST_PROXY === undefined ? 'TRUST_PROXY is not set' : `TRUST_PROXY is ${TRUST_PROXY}`
  const correction = `set it to ${proxies}, the number of proxies that write X-Forwarded-For`
  if (believed < proxies) return [`${setting}, so all listeners share the limits of a proxy: ${correction}`]
  // The list may have the doctor's own address, and then more are trusted than there are proxies.
  const isList = TRUST_PROXY !== undefined && !/^(true|false|\d+)$/.test(TRUST_PROXY)
  if (believed === proxies || isList) return []
  const risk = 'clients can forge the address that limits count'
  if (proxies > 0) return [`${setting}, so ${risk}: ${correction}`]
  return [
    `${setting}, but no proxy writes X-Forwarded-For, so ${risk}: let the proxy add the client's address`,
  ]
}

/** Checks the settings alone, where the server cannot be asked. */
function adviceOnTrustSetting({ publicUrl, HOST, TRUST_PROXY }: Env): string[] {
  if (TRUST_PROXY === 'true')
    return [
      'TRUST_PROXY=true believes the first address in X-Forwarded-For, which clients can forge: set the number of proxies',
    ]
  const isUntrusted = TRUST_PROXY === undefined || TRUST_PROXY === 'false' || TRUST_PROXY === '0'
  if (isLoopbackHost(new URL(publicUrl).hostname) || !isUntrusted || !isLoopbackHost(HOST)) return []
  return ['TRUST_PROXY is not set, so all listeners share the limits of the proxy: set the number of proxies']
}

async function adviceOnAnswers(env: Env, live: PublicAnswer): Promise<string[]> {
  const advice: string[] = []
  const metrics = await fetchPublic(new URL(`${env.publicUrl}/metrics`))
  if ('status' in metrics && metrics.status === 200)
    advice.push(
      'everybody can read /metrics, because requests look like those of this machine: let the proxy send X-Forwarded-For and the original Host',
    )
  if (!env.publicUrl.startsWith('https:')) return advice
  if ('headers' in live && !live.headers.has('strict-transport-security'))
    advice.push('the proxy removes Strict-Transport-Security: let it send the headers of the server')
  const plain = new URL(`${env.publicUrl}/live`)
  plain.protocol = 'http:'
  if (plain.port === '' && findFault(await fetchPublic(plain)) === null)
    advice.push('the proxy also answers http: let it redirect to https')
  return advice
}
