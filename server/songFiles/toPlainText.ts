import { TextDecoder } from 'node:util'
import { BadInput, UsageError } from '../inputErrors.ts'

/**
 * Decodes to UTF-8 without a byte order mark, with LF line ends: files of several programs mix them.
 * @param beginning the first bytes of `chunks`.
 * @throws BadInput for what is no text, UsageError for an unknown encoding.
 */
export function toPlainText(
  chunks: AsyncIterable<Buffer>,
  beginning: Buffer,
  encoding: string | undefined,
): AsyncIterable<Buffer> {
  if (beginning.toString('latin1', 0, 4) === 'PK\x03\x04')
    throw new BadInput('The file is a workbook or an archive. Save its table as CSV, or unpack it.')
  return unifyLineEnds(decode(chunks, chooseDecoder(beginning, encoding)))
}

/**
 * UTF-16 is detected by its mark, or by the zero bytes of Latin letters. Other encodings look alike and are not
 * guessed.
 */
function chooseDecoder(beginning: Buffer, encoding: string | undefined): TextDecoder {
  const letters = [...beginning.subarray(0, 64)]
  const zeroes = [0, 1].map((odd) => letters.filter((byte, index) => byte === 0 && index % 2 === odd).length)
  const [even = 0, odd = 0] = zeroes
  const mark = beginning.toString('latin1', 0, 2)
  const utf16 =
    mark === '\xFF\xFE' || odd > even ? 'utf-16le' : mark === '\xFE\xFF' || even > odd ? 'utf-16be' : null
  try {
    return new TextDecoder(encoding ?? utf16 ?? 'utf-8')
  } catch {
    throw new UsageError(`--encoding must be an encoding such as windows-1252, not '${encoding}'.`)
  }
}

/**
 * What a text that names no encoding is written in: undefined for UTF-8 and UTF-16. Windows-1252 is guessed only where
 * each of its letters has another meaning in no common encoding.
 * @throws BadInput for another encoding.
 */
export function guessEncoding(beginning: Buffer): string | undefined {
  const declared = /^<\?xml[^>]{0,80} encoding=["']([\w-]+)/.exec(beginning.toString('latin1', 0, 120))?.[1]
  if (declared && /^(iso-8859-1|windows-1252)$/i.test(declared)) return declared
  const text = beginning.toString('latin1')
  const decoded = new TextDecoder().decode(beginning, { stream: true })
  const invalid = decoded.match(/\uFFFD/g)?.length ?? 0
  // A few invalid letters are of rows.
  if (text.includes('\0') || /^(\xFF\xFE|\xFE\xFF)/.test(text)) return undefined
  if (invalid <= (decoded.match(/[\x80-\u{10FFFF}]/gu)?.length ?? 0) - invalid) return undefined
  if (!NOT_WINDOWS_1252.test(text)) return 'windows-1252'
  throw new BadInput('The letters of this file cannot be read. Please save it as UTF-8.')
}

/**
 * Runs of letters beyond ASCII are Greek, Cyrillic or Asian; the other letters differ in Turkish, Polish, Czech or on a
 * Mac. Quotes and dashes are the same nearly everywhere.
 */
const NOT_WINDOWS_1252 =
  /[\x80-\xFF]{3}|[\x80-\x84\x86-\x90\x95\x98-\x9F\xD0\xDD\xDE\xF0\xFD\xFE]|[a-z][\xA1-\xBF]|[\xA1-\xBF][a-z]/i

/** UTF-8 passes unchanged, except for its mark: it is validated row by row. */
async function* decode(chunks: AsyncIterable<Buffer>, decoder: TextDecoder): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    if (decoder.encoding !== 'utf-8') yield Buffer.from(decoder.decode(chunk, { stream: true }))
    else yield isFirst && chunk.toString('latin1', 0, 3) === '\xEF\xBB\xBF' ? chunk.subarray(3) : chunk
    isFirst = false
  }
  if (decoder.encoding !== 'utf-8') yield Buffer.from(decoder.decode())
}

async function* unifyLineEnds(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let endsInReturn = false
  for await (const chunk of chunks) {
    if (!endsInReturn && !chunk.includes('\r')) yield chunk
    else if (chunk.length > 0) {
      // One character a byte.
      const text = chunk.toString('latin1').slice(endsInReturn && chunk[0] === 0x0a ? 1 : 0)
      endsInReturn = text.endsWith('\r')
      yield Buffer.from(text.replace(/\r\n?/g, '\n'), 'latin1')
    }
  }
}
