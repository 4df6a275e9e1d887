import type { ClientBase, Connection, FieldDef, Submittable } from 'pg'
import { type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'
import { camelCase, columnTypes } from '../../server/db/send.ts'
import { membersOf, nameOf } from './expand.ts'

/** How the declared rows of a query differ from those that PostgreSQL gives; empty when they do not. */
export function compareRows(checker: Checker, rows: Type, fields: readonly FieldDef[]): string[] {
  const [row] = rows.isTypeReference() ? checker.getTypeArguments(rows) : []
  if (!row) return ['the declared rows are no array']
  const declaredColumns = membersOf(row).map((member) => columnsOf(checker, member))
  if (declaredColumns.some((columns) => columns === null)) return undeclared(fields)
  const names = new Set(declaredColumns.flatMap((columns) => [...(columns?.keys() ?? [])]))
  const columnsByName = new Map(fields.map((field) => [camelCase(field.name), field]))
  return [
    ...[...names]
      .filter((name) => !columnsByName.has(name))
      .map((name) => `${name}: the statement has no such column`),
    ...[...columnsByName].flatMap(([name, field]) => {
      if (!names.has(name)) return [`${name}: the row type has no such column`]
      const types = declaredColumns.flatMap((columns) => columns?.get(name) ?? []).flatMap(membersOf)
      return compareColumn(checker, types, field).map((fault) => `${name}: ${fault}`)
    }),
  ]
}

/** Without a declared type, renaming a column would go unnoticed. */
const undeclared = (fields: readonly FieldDef[]) =>
  fields.some(({ name, dataTypeID }) => dataTypeID !== VOID_TYPE_ID && !CALLED_FOR_EFFECT.has(name))
    ? ['the rows have columns and no declared type']
    : []

const VOID_TYPE_ID = 2278
const CALLED_FOR_EFFECT = new Set(['set_config', 'setval'])

/** The columns of a declared row; null where it has any column (Row). */
function columnsOf(checker: Checker, row: Type): Map<string, Type> | null {
  if (row.flags & TypeFlags.Any) return null
  if (checker.getIndexInfosOfType(row).length > 0) return null
  const symbols = checker.getPropertiesOfType(row)
  return new Map(
    symbols.map((symbol) => [symbol.name, checker.getTypeOfSymbol(symbol) ?? checker.getNeverType()]),
  )
}

/** Whether a column can be null is as declared: PostgreSQL does not say it of an expression. */
function compareColumn(checker: Checker, types: readonly Type[], { dataTypeID }: FieldDef): string[] {
  const kind = kindOf(columnTypes.getTypeParser(dataTypeID))
  const wrong = types.filter((type) => !(type.flags & TypeFlags.Null) && !isOfKind(checker, type, kind))
  if (wrong.length === 0) return []
  return [`it is ${kind}, but is declared as ${wrong.map((type) => checker.typeToString(type)).join(' | ')}`]
}

/** The type that a parser of `server/db/send.ts` returns. */
function kindOf(parse: (text: string) => unknown): string {
  if (parse === JSON.parse) return 'json'
  const list = parse('{}')
  if (Array.isArray(list)) return `${kindOfValue((parse('{1}') as unknown[])[0])}[]`
  return kindOfValue(parse('1'))
}

function kindOfValue(value: unknown): string {
  if (value instanceof Date) return 'Date'
  return value instanceof Uint8Array ? 'Buffer' : typeof value
}

const TYPE_FLAGS: Record<string, number> = {
  string: TypeFlags.StringLike,
  number: TypeFlags.NumberLike,
  boolean: TypeFlags.BooleanLike,
}

function isOfKind(checker: Checker, type: Type, kind: string): boolean {
  // PostgreSQL does not know the type of JSON.
  if (kind === 'json') return true
  if (!kind.endsWith('[]')) return Boolean(type.flags & (TYPE_FLAGS[kind] ?? 0)) || nameOf(type) === kind
  const [element] = type.isTypeReference() ? checker.getTypeArguments(type) : []
  return (
    element !== undefined &&
    checker.isArrayType(type) &&
    membersOf(element).every(
      (each) => each.flags & TypeFlags.Null || isOfKind(checker, each, kind.slice(0, -'[]'.length)),
    )
  )
}

/**
 * Lets PostgreSQL parse a statement and describe its rows, without running it.
 * @throws PostgreSQL's error
 */
export function describeQuery(client: ClientBase, text: string): Promise<FieldDef[]> {
  const description = new Description(text)
  client.query(description)
  return description.fields
}

/** Parse and Describe of the extended protocol. pg calls the methods. */
class Description implements Submittable {
  readonly fields: Promise<FieldDef[]>
  readonly #text: string
  #found: FieldDef[] = []
  #resolve: (fields: FieldDef[]) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(text: string) {
    this.#text = text
    this.fields = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection) {
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }) {
    this.#found = fields
  }

  handleError(error: unknown) {
    this.#reject(error)
  }

  handleReadyForQuery() {
    this.#resolve(this.#found)
  }
}
