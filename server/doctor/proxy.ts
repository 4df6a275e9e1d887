import { getCurrentUser } from '../../contract/auth.ts'
import { type Env, isLoopbackHost } from '../env.ts'
import { getPublic, type PublicAnswer } from '../integrations/publicSite.ts'
import { type Finding, findingOf } from './finding.ts'

/** What the proxy in front of the server forwards, seen from PUBLIC_URL. */
export async function checkProxy(env: Env): Promise<Finding> {
  const part = 'Proxy'
  if (env.loopbackOnly && env.TRUST_PROXY === undefined)
    return { part, state: 'off', message: 'PUBLIC_URL is this machine: there is no proxy to check' }
  const live = new URL(`${env.publicUrl}/live`)
  const answer = await getPublic(live)
  const fault = faultOf(answer)
  if (fault) {
    const message = `${live} ${fault}: check that the server runs, and where DNS and the proxy lead`
    return { part, state: 'warning', message }
  }
  if (env.basePath && (await isPathLost(env))) {
    const message = `the proxy removes ${env.basePath} from addresses, so the server finds nothing: let it pass addresses on unchanged`
    return { part, state: 'warning', message }
  }
  return findingOf(
    part,
    [...adviceOnSettings(env), ...(await adviceOnAnswers(env, answer))],
    `${env.publicUrl} leads here, with what the server needs`,
  )
}

function faultOf(answer: PublicAnswer): string | null {
  if ('failure' in answer) return `does not answer (${answer.failure})`
  const isOurs = answer.text.replace(/\s/g, '') === '{"status":"ok"}'
  if (answer.status === 200 && isOurs) return null
  return answer.status === 200 ? 'gives the page of another program' : `answers ${answer.status}`
}

/** /live also answers without the path of PUBLIC_URL. */
async function isPathLost({ publicUrl }: Env): Promise<boolean> {
  const answer = await getPublic(new URL(publicUrl + getCurrentUser.path))
  return 'status' in answer && answer.status === 404
}

function adviceOnSettings({ production, publicUrl, HOST, TRUST_PROXY }: Env): string[] {
  const { protocol, hostname } = new URL(publicUrl)
  const isPublic = !isLoopbackHost(hostname)
  const advice: string[] = []
  if (production && isPublic && protocol === 'http:')
    advice.push('PUBLIC_URL is http, so others on the way can read sign-in links and cookies: use https')
  if (TRUST_PROXY === 'true')
    advice.push(
      'TRUST_PROXY=true believes the first address in X-Forwarded-For, which clients can forge: set the number of proxies',
    )
  const isUntrusted = TRUST_PROXY === undefined || TRUST_PROXY === 'false' || TRUST_PROXY === '0'
  if (isPublic && isUntrusted && isLoopbackHost(HOST))
    advice.push(
      'TRUST_PROXY is not set, so all listeners share the limits of the proxy: set the number of proxies',
    )
  return advice
}

async function adviceOnAnswers(env: Env, live: PublicAnswer): Promise<string[]> {
  const advice: string[] = []
  const metrics = await getPublic(new URL(`${env.publicUrl}/metrics`))
  if ('status' in metrics && metrics.status === 200)
    advice.push(
      'everybody can read /metrics, because requests look like those of this machine: let the proxy send X-Forwarded-For and the original Host',
    )
  if (!env.publicUrl.startsWith('https:')) return advice
  if ('headers' in live && !live.headers.has('strict-transport-security'))
    advice.push('the proxy removes Strict-Transport-Security: let it send the headers of the server')
  const plain = new URL(`${env.publicUrl}/live`)
  plain.protocol = 'http:'
  if (plain.port === '' && faultOf(await getPublic(plain)) === null)
    advice.push('the proxy also answers http: let it redirect to https')
  return advice
}
