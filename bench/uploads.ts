import { spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import sharp from 'sharp'
import { getCurrentUser, sendMagicLink } from '../contract/auth.ts'
import { PHOTO_MAX_BYTES, requestPhotoUpload, setPhoto } from '../contract/uploads.ts'
import { startTestServer } from '../tests/browser/testServer.ts'
import { visitorAt } from '../tests/harness/visitor.ts'
import { finish, judge } from './measure/goals.ts'
import { quantile } from './measure/spread.ts'

/* The server's memory while 200 photos of 5 MB arrive at once, and while they become profile photos. */

const UPLOADS = 200
/** A listener may upload three photos at a time. */
const LISTENERS = 100
/** MiB. */
const TARGET = 300

/** Like browsers, with keep-alive. */
const agent = new http.Agent({ keepAlive: true, maxSockets: UPLOADS })

const app = await startTestServer()
try {
  const pid = serverPid()
  const picture = await makePhotograph()
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, (_, index) => signIn(index)))
  console.log(
    `${UPLOADS} photos of ${picture.length} bytes (12 megapixels) by ${LISTENERS} listeners at once.`,
  )
  judge('idle, memory, MiB', memory(pid, 'VmRSS'))

  const addresses = await Promise.all(
    Array.from({ length: UPLOADS }, async (_, index) => {
      const listener = listeners[index % LISTENERS]
      const { body } = (await listener?.call(requestPhotoUpload, { body: { size: picture.length } })) ?? {}
      return { listener, photoURL: body?.uploadURL ?? '' }
    }),
  )
  await during('they arrive', pid, () => Promise.all(addresses.map(({ photoURL }) => put(photoURL, picture))))
  await during('they become photos', pid, () =>
    Promise.all(
      addresses.map(
        async ({ listener, photoURL }) => (await listener?.call(setPhoto, { body: { photoURL } }))?.status,
      ),
    ),
  )
  judge('memory of the server process, MiB, most', memory(pid, 'VmHWM'), { under: TARGET })
} finally {
  agent.destroy()
  await app.close()
}
finish()

async function during(
  name: string,
  server: number,
  work: () => Promise<(number | undefined)[]>,
): Promise<void> {
  const end = watch(server)
  const waits: number[] = []
  let running = true
  const asking = (async () => {
    const visitor = visitorAt(app.url)
    while (running) {
      const start = performance.now()
      await visitor.call(getCurrentUser)
      waits.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const start = performance.now()
  const statuses = await work()
  running = false
  await asking
  judge(`${name}, s`, (performance.now() - start) / 1000)
  judge(`${name}, memory, MiB`, end())
  // Photos that are not there need no memory.
  const refused = statuses.filter((status) => status === undefined || status >= 400)
  judge(`${name}, refused`, refused.length, { most: 0 })
  judge(`${name}, another call meanwhile, ms`, waits)
  judge(`${name}, another call meanwhile, ms, p99`, quantile(waits, 0.99))
}

/** Samples ten times a second. */
function watch(pid: number): () => number[] {
  const seen = [memory(pid, 'VmRSS')]
  const timer = setInterval(() => seen.push(memory(pid, 'VmRSS')), 100)
  return () => {
    clearInterval(timer)
    return seen
  }
}

/** MiB. */
function memory(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

/** The server is a child of this process. */
function serverPid(): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const line = stdout.split('\n').find((one) => {
    const [, parent, ...command] = one.trim().split(/\s+/)
    return Number(parent) === process.pid && command.join(' ').includes('dist/server/main.js')
  })
  return Number(line?.trim().split(/\s+/)[0])
}

async function signIn(index: number) {
  const visitor = visitorAt(app.url)
  // All come from one address.
  await app.db`delete from rate_limits where key like 'magic-link-%'`
  const { body } = await visitor.call(sendMagicLink, { body: { email: `uploads-${index}@example.org` } })
  const link = new URL(body.magicLink ?? '')
  await visitor.raw(link.pathname + link.search)
  return visitor
}

/** A JPEG of 12 megapixels with the maximum file size. */
async function makePhotograph(): Promise<Buffer> {
  const [width, height] = [4000, 3000]
  const grain = randomFillSync(Buffer.alloc((width / 8) * (height / 8) * 3))
  const jpeg = await sharp(grain, { raw: { width: width / 8, height: height / 8, channels: 3 } })
    .resize(width, height)
    .jpeg({ quality: 90 })
    .toBuffer()
  if (jpeg.length > PHOTO_MAX_BYTES) throw new Error(`The photograph has ${jpeg.length} bytes.`)
  return Buffer.concat([jpeg, Buffer.alloc(PHOTO_MAX_BYTES - jpeg.length)])
}

/** Undefined when the connection broke. */
function put(url: string, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = http.request(
      url,
      { method: 'PUT', agent, headers: { 'content-length': body.length } },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode))
      },
    )
    call.on('error', () => resolve(undefined))
    call.end(body)
  })
}
