import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How answers are compressed, the best first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The best encoding that an `Accept-Encoding` header names (RFC 9110 §12.5.3); null where it accepts none of them. */
export function negotiateEncoding(header: string | undefined): Encoding | null {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return ENCODINGS.find((name) => names.includes(name)) ?? null
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** The quality of @fastify/compress. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export const compressText = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? compressors.br(text, BROTLI_OPTIONS) : compressors.gzip(text)
