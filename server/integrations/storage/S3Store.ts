import { readFile } from 'node:fs/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Logger } from 'pino'
import { ADDRESS_SECONDS } from '../../../contract/uploads.ts'
import type { Env } from '../../env.ts'
import { HttpError } from '../../http/HttpError.ts'
import type { LocalStore } from './LocalStore.ts'
import type { ObjectStore, Part, SignedAddress, StoredObject, UploadTerms } from './ObjectStore.ts'

/** Milliseconds to connect and to the first byte, because a listener is waiting. */
const TIMEOUTS = { connectionTimeout: 2000, requestTimeout: 10_000 }

/** Objects in a bucket of Amazon S3 or a compatible store. Browsers upload to the bucket directly. */
export class S3Store implements ObjectStore {
  readonly disk: LocalStore
  readonly #env: Env & { S3_BUCKET: string }
  readonly #log: Logger
  #loading: Promise<Sdk> | undefined

  constructor(
    env: Env & { S3_BUCKET: string },
    log: Logger,
    openDisk: (keepFile: (key: string, path: string) => Promise<void>) => LocalStore,
  ) {
    this.#env = env
    this.#log = log
    this.disk = openDisk(async (key, path) =>
      this.write(key, await readFile(path), 'application/octet-stream'),
    )
  }

  /**
   * Content-Length is part of the signature, so the bucket rejects any other size. Of an unknown size it would take
   * anything, so the server receives such a file.
   */
  signUpload(key: string, terms: UploadTerms): Promise<SignedAddress> {
    if (terms.size === null) return this.disk.signUpload(key, terms)
    const object = { ...this.#at(key), ContentLength: terms.size }
    return this.#ask(async ({ s3, client, getSignedUrl }) => {
      const url = await getSignedUrl(client, new s3.PutObjectCommand(object), {
        expiresIn: ADDRESS_SECONDS,
        signableHeaders: new Set(['host', 'content-length']),
      })
      return toSignedAddress(url, terms.type)
    })
  }

  signForm(key: string, terms: UploadTerms): Promise<SignedAddress> {
    if (terms.size !== null) return this.signUpload(key, terms)
    return this.#ask(async ({ client, createPresignedPost }) => {
      const { url, fields } = await createPresignedPost(client, {
        ...this.#at(key),
        Expires: ADDRESS_SECONDS,
        Conditions: [['content-length-range', 0, terms.limit]],
        Fields: { success_action_status: '201', ...(terms.type ? { 'Content-Type': terms.type } : {}) },
      })
      return { method: 'POST' as const, url, fields, headers: {}, expires: ADDRESS_SECONDS }
    })
  }

  startParts(key: string, type: string): Promise<string> {
    return this.#ask(async ({ s3, client }) => {
      const multipart = await client.send(
        new s3.CreateMultipartUploadCommand({ ...this.#at(key), ContentType: type }),
      )
      if (!multipart.UploadId) throw new Error('an upload without an id')
      return multipart.UploadId
    })
  }

  signPart(key: string, uploadId: string, part: number): Promise<SignedAddress> {
    return this.#ask(async ({ s3, client, getSignedUrl }) => {
      const command = new s3.UploadPartCommand({ ...this.#at(key), UploadId: uploadId, PartNumber: part })
      return toSignedAddress(await getSignedUrl(client, command, { expiresIn: ADDRESS_SECONDS }))
    })
  }

  listParts(key: string, uploadId: string): Promise<Part[] | null> {
    return this.#ask(async ({ s3, client }) => {
      const parts: Part[] = []
      for (let marker: string | undefined; ; ) {
        const page = await client.send(
          new s3.ListPartsCommand({ ...this.#at(key), UploadId: uploadId, PartNumberMarker: marker }),
        )
        for (const { PartNumber: number = 0, Size: size = 0, ETag: etag = '' } of page.Parts ?? []) {
          parts.push({ number, size, etag })
        }
        if (!page.IsTruncated || !page.NextPartNumberMarker) return parts
        marker = page.NextPartNumberMarker
      }
    }, nullIfMissing)
  }

  joinParts(key: string, uploadId: string, parts: Pick<Part, 'number' | 'etag'>[]): Promise<boolean> {
    return this.#ask(
      async ({ s3, client }) => {
        const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
        await client.send(
          new s3.CompleteMultipartUploadCommand({
            ...this.#at(key),
            UploadId: uploadId,
            MultipartUpload: { Parts },
          }),
        )
        return true
      },
      (error) => (WRONG_PARTS_ERRORS.has(error.name) ? false : undefined),
    )
  }

  async abortParts(key: string, uploadId: string): Promise<void> {
    const upload = { ...this.#at(key), UploadId: uploadId }
    await this.#ask(
      ({ s3, client }) => client.send(new s3.AbortMultipartUploadCommand(upload)),
      nullIfMissing,
    )
  }

  measure(key: string): Promise<number | null> {
    return this.#ask(async ({ s3, client }) => {
      const { ContentLength } = await client.send(new s3.HeadObjectCommand(this.#at(key)))
      return ContentLength ?? 0
    }, nullIfMissing)
  }

  read(key: string): Promise<StoredObject | null> {
    return this.#ask(async ({ s3, client, Readable }) => {
      const { Body, ContentLength } = await client.send(new s3.GetObjectCommand(this.#at(key)))
      if (!(Body instanceof Readable)) throw new Error('an object without a body')
      return { size: ContentLength ?? 0, stream: Body }
    }, nullIfMissing)
  }

  async withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T | null> {
    const object = await this.read(key)
    return object && this.disk.withContent(object, use)
  }

  async write(key: string, content: Buffer, type: string): Promise<void> {
    const object = { ...this.#at(key), Body: content, ContentType: type }
    await this.#ask(({ s3, client }) => client.send(new s3.PutObjectCommand(object)))
  }

  async remove(key: string): Promise<void> {
    await this.#ask(({ s3, client }) => client.send(new s3.DeleteObjectCommand(this.#at(key))), nullIfMissing)
  }

  #at(key: string) {
    return { Bucket: this.#env.S3_BUCKET, Key: key }
  }

  /** `expected` maps failures that are valid answers. @throws HttpError 503 for any other */
  async #ask<T, Failed = never>(
    work: (sdk: Sdk) => Promise<T>,
    expected: (error: S3Error) => Failed | undefined = () => undefined,
  ): Promise<T | Failed> {
    this.#loading ??= loadSdk(this.#env)
    const sdk = await this.#loading
    try {
      return await work(sdk)
    } catch (error) {
      const failure = error as S3Error
      const answer = expected(failure)
      if (answer !== undefined) return answer
      // Only the name: messages may contain signed addresses.
      this.#log.warn(
        { reason: failure.name, status: failure.$metadata?.httpStatusCode },
        'the bucket returned an error',
      )
      throw new HttpError(503, 'The file store does not answer right now. Please try again in a moment.', {
        retryAfter: 5,
      })
    }
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** Loaded on first use, to save memory on servers with local files. */
async function loadSdk(env: Env) {
  const [s3, { getSignedUrl }, { createPresignedPost }, { Readable }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
    import('@aws-sdk/s3-presigned-post'),
    import('node:stream'),
  ])
  return { s3, client: createClient(s3.S3Client, env), getSignedUrl, createPresignedPost, Readable }
}

function createClient(Client: typeof S3Client, env: Env): S3Client {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  return new Client({
    region: env.S3_REGION,
    forcePathStyle: env.S3_FORCE_PATH_STYLE,
    maxAttempts: 2,
    requestHandler: TIMEOUTS,
    // Otherwise signed addresses would contain the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(env.S3_ENDPOINT ? { endpoint: env.S3_ENDPOINT } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  })
}

interface S3Error extends Error {
  $metadata?: { httpStatusCode?: number }
}

const toSignedAddress = (url: string, type: string | null = null): SignedAddress => ({
  method: 'PUT',
  url,
  fields: {},
  headers: type ? { 'Content-Type': type } : {},
  expires: ADDRESS_SECONDS,
})

const nullIfMissing = ({ name }: S3Error) => (MISSING_ERRORS.has(name) ? null : undefined)

const MISSING_ERRORS = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound'])

const WRONG_PARTS_ERRORS = new Set([
  'InvalidPart',
  'InvalidPartOrder',
  'EntityTooSmall',
  'NoSuchUpload',
  'MalformedXML',
])
