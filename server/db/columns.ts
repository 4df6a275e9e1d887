import { types } from 'pg'

type Parse = (text: string) => unknown

/** Every other type comes as text: bigint (ids are opaque, calls-7), numeric, interval and so on lose no precision that way. */
const asText: Parse = (text) => text
const asDate: Parse = (text) => new Date(text)
const asBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex')

/** The oid of a type in pg_type, the oid of its array type, and the parser of one value. */
const TYPES: readonly (readonly [value: number, list: number, parse: Parse])[] = [
  [16, 1000, (text) => text === 't'], // boolean
  [17, 1001, asBytes], // bytea
  [21, 1005, Number], // smallint
  [23, 1007, Number], // integer
  [26, 1028, Number], // oid
  [700, 1021, Number], // real
  [701, 1022, Number], // double precision
  [114, 199, JSON.parse], // json
  [3802, 3807, JSON.parse], // jsonb
  [1082, 1182, asDate], // date
  [1114, 1115, asDate], // timestamp
  [1184, 1185, asDate], // timestamptz
  [20, 1016, asText], // bigint
  [25, 1009, asText], // text
  [1043, 1015, asText], // varchar
  [1042, 1014, asText], // char
  [19, 1003, asText], // name
  [1700, 1231, asText], // numeric
  [1083, 1183, asText], // time
  [1186, 1187, asText], // interval
  [2950, 2951, asText], // uuid
  [869, 1041, asText], // inet
]

const PARSERS = new Map(
  TYPES.flatMap(([value, list, parse]): [number, Parse][] => [
    [value, parse],
    [list, (text) => parseList(asTexts(text), parse)],
  ]),
)

type Texts = readonly (string | null | Texts)[]

const TEXT_LIST = 1009

/** Every array has the same text format, so it can be split like an array of texts. */
const asTexts = types.getTypeParser(TEXT_LIST as number) as (text: string) => Texts

function parseList(texts: Texts, parse: Parse): unknown[] {
  return texts.map((each) =>
    each === null ? null : typeof each === 'string' ? parse(each) : parseList(each, parse),
  )
}

/** The parsers that pg uses for columns. */
export const columnTypes = { getTypeParser: (oid: number) => PARSERS.get(oid) ?? asText }

const names = new Map<string, string>()

/** `first_name` becomes `firstName`. */
export function camelCase(column: string): string {
  let name = names.get(column)
  if (name === undefined) {
    name = column.replace(/(?!^)_(.)/g, (_, letter: string) => letter.toUpperCase())
    if (names.size < MAX_CACHED_NAMES) names.set(column, name)
  }
  return name
}

/** Far more than there are columns; statements can name further ones. */
const MAX_CACHED_NAMES = 10_000
