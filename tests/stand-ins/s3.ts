import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerCors, type CorsRule, listen } from './behaviour.ts'

/** The parts of S3 that the application uses, in memory: objects, signed addresses, forms, multipart uploads. */
export interface S3 {
  url: string
  /** Its address and keys. */
  env: Record<string, string>
  objects: Map<string, Buffer>
  /** Parts of unfinished uploads. */
  parts(): number
  /** While true, every call fails. */
  isDown: boolean
  /** Holds writes of photos back until the returned function is called. */
  holdPhotos(): () => void
  /** Keys of photos that were sent, also those held back. */
  sentPhotos: string[]
  /** CORS rules; null, the initial state of a bucket, allows nothing. */
  cors: CorsRule | null
  close(): Promise<void>
}

const SECRET_KEY = 'stand-in-secret'
const MIN_PART = 5 * 1024 * 1024
/** Small, so that lists have several pages. */
const PARTS_PER_PAGE = 2

type Upload = Map<number, { content: Buffer; etag: string }>

export async function startS3(bucket = 'bangers'): Promise<S3> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Upload>()
  let created = 0
  let hold: Promise<void> = Promise.resolve()
  const { port, close } = await listen((request, response) => {
    if (answerCors(s3.cors, request, response)) return
    answer(request, response).catch((error: unknown) => fail(response, 500, String(error)))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const url = new URL(request.url ?? '/', s3.url)
    const key = decodeURIComponent(url.pathname).slice(bucket.length + 2)
    const body = await readBody(request)
    if (s3.isDown) return fail(response, 500, 'InternalError')
    if (key === '' && request.method === 'POST') return receiveForm(request, response, body)
    if (!isSigned(request, url)) return fail(response, 403, 'SignatureDoesNotMatch')
    const uploadId = url.searchParams.get('uploadId')
    const upload = uploads.get(uploadId ?? '')
    if (uploadId !== null && !upload) return fail(response, 404, 'NoSuchUpload')
    if (url.searchParams.has('uploads')) {
      const id = `2~upload/${++created}`
      uploads.set(id, new Map())
      return send(
        response,
        200,
        `<R><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></R>`,
      )
    }
    if (upload && uploadId) {
      if (request.method === 'PUT') return receivePart(url, response, upload, body)
      if (request.method === 'GET') return list(url, response, upload)
      if (request.method === 'DELETE') {
        uploads.delete(uploadId)
        return send(response, 204, '')
      }
      return complete(response, { key, uploadId, upload, list: String(body) })
    }
    return object(request, response, key, body)
  }

  async function object(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    body: Buffer,
  ): Promise<ServerResponse> {
    if (request.method === 'PUT') {
      if (key.startsWith('photos/')) {
        s3.sentPhotos.push(key)
        await hold
      }
      objects.set(key, body)
      return send(response, 200, '', { etag: etagOf(body) })
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return send(response, 204, '')
    }
    const content = objects.get(key)
    if (!content) return fail(response, 404, 'NoSuchKey')
    response.writeHead(200, { 'content-length': content.length, etag: etagOf(content) })
    return response.end(request.method === 'HEAD' ? undefined : content)
  }

  function complete(
    response: ServerResponse,
    { key, uploadId, upload, list }: { key: string; uploadId: string; upload: Upload; list: string },
  ): ServerResponse {
    const named = [...list.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => {
      const number = Number(/<PartNumber>(\d+)/.exec(part)?.[1])
      const etag = /<ETag>(.*?)<\/ETag>/.exec(part)?.[1]?.replaceAll(/&quot;|"/g, '')
      return { etag, part: upload.get(number) }
    })
    if (named.some(({ etag, part }) => part?.etag.replaceAll('"', '') !== etag)) {
      return fail(response, 400, 'InvalidPart')
    }
    const contents = named.map(({ part }) => part?.content ?? Buffer.alloc(0))
    if (contents.slice(0, -1).some(({ length }) => length < MIN_PART)) {
      return fail(response, 400, 'EntityTooSmall')
    }
    objects.set(key, Buffer.concat(contents))
    uploads.delete(uploadId)
    return send(response, 200, `<R><Location>${s3.url}/${bucket}/${key}</Location><Key>${key}</Key></R>`)
  }

  /** The form's policy limits the file size. */
  async function receiveForm(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ): Promise<ServerResponse> {
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const policy = String(form.get('Policy'))
    if (
      form.get('X-Amz-Signature') !==
      hmac(keyOf(String(form.get('X-Amz-Credential'))), policy).toString('hex')
    ) {
      return fail(response, 403, 'SignatureDoesNotMatch')
    }
    const { conditions } = JSON.parse(Buffer.from(policy, 'base64').toString()) as { conditions: unknown[] }
    const range = conditions.find((one): one is [string, number, number] => Array.isArray(one)) ?? ['', 0, 0]
    const file = Buffer.from(await (form.get('file') as File).arrayBuffer())
    if (file.length > range[2]) return fail(response, 400, 'EntityTooLarge')
    const key = String(form.get('key'))
    objects.set(key, file)
    return send(response, 201, '', { etag: etagOf(file), location: `${s3.url}/${bucket}/${key}` })
  }

  const s3: S3 = {
    url: `http://127.0.0.1:${port}`,
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: 'stand-in',
      S3_SECRET_ACCESS_KEY: SECRET_KEY,
      S3_FORCE_PATH_STYLE: 'true',
    },
    objects,
    parts: () => [...uploads.values()].reduce((sum, upload) => sum + upload.size, 0),
    isDown: false,
    holdPhotos() {
      let release = () => {}
      hold = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    sentPhotos: [],
    cors: null,
    close,
  }
  return s3
}

function receivePart(url: URL, response: ServerResponse, upload: Upload, content: Buffer): ServerResponse {
  const etag = etagOf(content)
  upload.set(Number(url.searchParams.get('partNumber')), { content, etag })
  return send(response, 200, '', { etag })
}

function list(url: URL, response: ServerResponse, upload: Upload): ServerResponse {
  const marker = Number(url.searchParams.get('part-number-marker') ?? 0)
  const rest = [...upload].sort(([a], [b]) => a - b).filter(([number]) => number > marker)
  const page = rest.slice(0, PARTS_PER_PAGE)
  const parts = page.map(
    ([number, { content, etag }]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag><Size>${content.length}</Size></Part>`,
  )
  const truncated = rest.length > page.length
  const next = truncated ? `<NextPartNumberMarker>${page.at(-1)?.[0]}</NextPartNumberMarker>` : ''
  return send(response, 200, `<R><IsTruncated>${truncated}</IsTruncated>${next}${parts.join('')}</R>`)
}

/** Signed addresses are verified like S3 does; the server's own calls need only an access key. */
function isSigned({ method = '', headers }: IncomingMessage, url: URL): boolean {
  const query = url.searchParams
  const signature = query.get('X-Amz-Signature')
  if (signature === null) return headers.authorization !== undefined
  const signedHeaders = query.get('X-Amz-SignedHeaders') ?? ''
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const canonicalQuery = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const canonicalHeaders = signedHeaders.split(';').map((name) => `${name}:${String(headers[name] ?? '')}\n`)
  const request = [method, url.pathname, canonicalQuery, canonicalHeaders.join(''), signedHeaders]
  const [, date = '', region = ''] = (query.get('X-Amz-Credential') ?? '').split('/')
  const text = [
    'AWS4-HMAC-SHA256',
    query.get('X-Amz-Date'),
    `${date}/${region}/s3/aws4_request`,
    createHash('sha256')
      .update([...request, 'UNSIGNED-PAYLOAD'].join('\n'))
      .digest('hex'),
  ].join('\n')
  return hmac(keyOf(query.get('X-Amz-Credential') ?? ''), text).toString('hex') === signature
}

/** The signing key of one day, region and service, from the credential that names them. */
const keyOf = (credential: string) =>
  credential
    .split('/')
    .slice(1)
    .reduce<Buffer>(hmac, Buffer.from(`AWS4${SECRET_KEY}`))

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const etagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, status: number, body: string, headers = {}): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body)
}

function fail(response: ServerResponse, status: number, code: string): ServerResponse {
  return send(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}
