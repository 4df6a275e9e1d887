import { BadInput } from '../fault.ts'

export type Format =
  | { kind: 'delimited'; delimiter: string; isQuoted: boolean }
  | { kind: 'items'; path: string }
  | { kind: 'lines' }

/**
 * The format of a file: as given, else by its name, else by its first bytes. A table's separator is the most
 * frequent one in its first line. Tab-separated tables have no quotes.
 * @throws BadInput for an unknown format, an empty file, and UTF-16.
 */
export function chooseFormat(file: string, beginning: Buffer, given?: string): Format {
  if (beginning.length === 0) throw new BadInput('The file is empty.')
  if (beginning.length > 1 && [0xfeff, 0xfffe].includes(beginning.readUInt16BE(0))) {
    throw new BadInput('The file is UTF-16. Save it as UTF-8.')
  }
  const text = beginning
    .subarray(0, 4096)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  const name = given ?? /\.(csv|tsv|tab|txt|json|jsonl|ndjson)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase()
  switch (name) {
    case 'tsv':
    case 'tab':
      return { kind: 'delimited', delimiter: '\t', isQuoted: false }
    case 'csv':
      return { kind: 'delimited', delimiter: separatorOf(text, [',', ';', '\t']), isQuoted: true }
    case 'jsonl':
    case 'ndjson':
      return { kind: 'lines' }
    case 'json':
      return jsonOf(text)
    case undefined:
    case 'txt':
      if (/^[[{]/.test(text)) return jsonOf(text)
      return separatorOf(text, ['\t', ',', ';']) === '\t'
        ? chooseFormat(file, beginning, 'tsv')
        : chooseFormat(file, beginning, 'csv')
    default:
      throw new BadInput(`--format must be csv, tsv, json or jsonl, not '${name}'.`)
  }
}

/** `[…]`, `{"songs": […]}`, or one object per line. */
function jsonOf(text: string): Format {
  if (text.startsWith('[')) return { kind: 'items', path: '$.*' }
  return /^\{\s*"songs"\s*:\s*\[/.test(text) ? { kind: 'items', path: '$.songs.*' } : { kind: 'lines' }
}

/** The first of `separators` wins a tie. */
function separatorOf(text: string, separators: string[]): string {
  const header = text.split(/\r?\n|\r/, 1)[0] ?? ''
  const times = (separator: string) => header.split(separator).length
  return separators.reduce((best, one) => (times(one) > times(best) ? one : best))
}
