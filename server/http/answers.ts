import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { contentRange, type Encoding, type Exchange } from './exchange.ts'
import { HttpError } from './HttpError.ts'

/** A handler's result that is more than JSON. */
export class Answer {
  readonly send: (reply: FastifyReply) => FastifyReply

  constructor(send: (reply: FastifyReply) => FastifyReply) {
    this.send = send
  }
}

export const redirect = (to: string) => new Answer((reply) => reply.redirect(to, 302))

export const html = (status: number, text: string) =>
  new Answer((reply) => reply.status(status).type('text/html; charset=utf-8').send(text))

/**
 * Answers with the requested items of a list of `total`, as 206, or with the whole list, as 200.
 * @throws HttpError 416 when the list ends before `from`.
 */
export function partialList(items: unknown[], from: number, total: number): Answer {
  if (from > 0 && items.length === 0) throw new HttpError(416, 'The list ends before this range.')
  return new Answer((reply) =>
    items.length < total
      ? reply
          .status(206)
          .header('content-range', contentRange(from, items.length, total))
          .send(items)
      : reply.send(items),
  )
}

/** A page of a list. `Link` names the next one by its query, relative to this one's address (RFC 8288). */
export const linkedPage = (items: unknown[], next: Record<string, string> | undefined) =>
  new Answer((reply) =>
    next
      ? reply.header('link', `<?${new URLSearchParams(next)}>; rel="next"`).send(items)
      : reply.send(items),
  )

/**
 * A list that is serialised in batches and compressed before it is sent, so that a slow reader occupies only memory
 * for the compressed bytes, and no compressor or place in a queue.
 * @throws the signal's reason
 */
export async function longList(
  batches: AsyncIterable<unknown[]>,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Answer> {
  const { encoding } = exchange
  const compressor = encoding === null ? new PassThrough() : COMPRESSORS[encoding]()
  const text = writeList(batches, exchange, signal)
  const [bytes] = await Promise.all([buffer(compressor), pipeline(text, compressor)])
  return new Answer((reply) => {
    if (encoding !== null) reply.header('content-encoding', encoding)
    return reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8').send(bytes)
  })
}

async function* writeList(batches: AsyncIterable<unknown[]>, exchange: Exchange, signal: AbortSignal) {
  let separator = '['
  for await (const items of batches) {
    signal.throwIfAborted()
    yield separator + exchange.write(items).slice(1, -1)
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/** The quality of @fastify/compress, and a sixteenth of the memory: lists repeat within a few bytes. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } }

const COMPRESSORS: Record<Encoding, () => Duplex> = {
  br: () => createBrotliCompress(BROTLI_OPTIONS),
  gzip: () => createGzip(),
}

/** A stored WebP picture, which browsers and caches keep for `seconds`. `tag` changes with its content. */
export const picture = ({ stream, size }: { stream: Readable; size: number }, tag: string, seconds: number) =>
  new Answer((reply) => {
    reply.header('cache-control', `public, max-age=${seconds}`).header('etag', tag)
    if (reply.request.headers['if-none-match']?.includes(tag)) {
      stream.destroy()
      return reply.status(304).send()
    }
    return reply
      .header('x-content-type-options', 'nosniff')
      .header('content-length', size)
      .type('image/webp')
      .send(stream)
  })

/** A download, streamed or complete. The browser saves it as `name`. */
export const fileDownload = (type: string, body: Readable | Buffer, name: string) =>
  new Answer((reply) =>
    reply.header('content-disposition', `attachment; filename="${name}"`).type(type).send(body),
  )
