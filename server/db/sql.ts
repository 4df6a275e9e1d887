import { escapeIdentifier } from 'pg'

/** A statement as it is sent, with `$1`, `$2` … in the text for the values. */
export interface Statement {
  text: string
  values: unknown[]
  /** Whether the text may be several statements, separated by semicolons, without values. */
  isScript?: boolean
}

export type Row = Record<string, unknown>

/** The rows of a result, and the number of rows that the statement read or changed. */
export type Result<Rows extends readonly object[]> = Rows & { readonly count: number }

/** A pool, or the connection of a transaction. */
export interface Runner {
  run(statement: Statement): Promise<Result<Row[]>>
  /** The rows as lists of values, in the order of the columns. */
  runForValues(statement: Statement): Promise<unknown[][]>
}

type Then<Value, To> = ((value: Value) => To | PromiseLike<To>) | null

/** A template of SQL. The first `await` sends it. Inside another template it becomes a part of that statement. */
export class Query<Rows extends readonly object[] = Row[]> implements Promise<Result<Rows>> {
  readonly [Symbol.toStringTag] = 'Query'
  readonly strings: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly #runner: Runner
  readonly #isScript: boolean
  #answer: Promise<Result<Rows>> | undefined

  constructor(
    runner: Runner,
    strings: readonly string[],
    parameters: readonly Parameter[] = [],
    isScript = false,
  ) {
    this.#runner = runner
    this.#isScript = isScript
    this.strings = strings
    this.parameters = parameters
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a query sends it.
  then<A = Result<Rows>, B = never>(
    onFulfilled?: Then<Result<Rows>, A>,
    onRejected?: Then<unknown, B>,
  ): Promise<A | B> {
    return this.#send().then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: Then<unknown, B>): Promise<Result<Rows> | B> {
    return this.#send().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result<Rows>> {
    return this.#send().finally(onFinally)
  }

  values(): Promise<unknown[][]> {
    return this.#runner.runForValues(toStatement(this))
  }

  #send(): Promise<Result<Rows>> {
    // The caller declares the type of the rows, and tests/queries compares it with PostgreSQL's.
    this.#answer ??= this.#runner.run(toStatement(this, this.#isScript)) as unknown as Promise<Result<Rows>>
    return this.#answer
  }
}

/** A part of a statement, such as a condition. */
export type Fragment = Pick<Query, 'strings' | 'parameters'>

/** The name of a table or column, or both separated by a dot. */
export class Identifier {
  readonly text: string

  constructor(name: string) {
    this.text = name.split('.').map(escapeIdentifier).join('.')
  }
}

/** A value to be sent as JSON. */
export class Json {
  readonly text: string

  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null
export type Parameter = Scalar | readonly Scalar[] | Json | Identifier | Fragment

/** @throws TypeError for an undefined value, which would be stored as null and is most likely a mistake. */
export function toStatement({ strings, parameters }: Fragment, isScript = false): Statement {
  const values: unknown[] = []
  return { text: write(strings, parameters, values), values, isScript }
}

function write(strings: readonly string[], parameters: readonly Parameter[], values: unknown[]): string {
  let text = strings[0] ?? ''
  for (const [n, parameter] of parameters.entries())
    text += writeParameter(parameter, values) + (strings[n + 1] ?? '')
  return text
}

function writeParameter(parameter: Parameter, values: unknown[]): string {
  if (parameter instanceof Identifier) return parameter.text
  if (isFragment(parameter)) return write(parameter.strings, parameter.parameters, values)
  if (parameter === undefined) throw new TypeError('A value of a statement is undefined.')
  values.push(parameter instanceof Json ? parameter.text : parameter)
  return `$${values.length}${typeOf(parameter)}`
}

const isFragment = (parameter: Parameter): parameter is Fragment =>
  typeof parameter === 'object' && parameter !== null && 'strings' in parameter

/** Values are sent as text, and PostgreSQL infers their types, except those that JavaScript knows. */
function typeOf(value: Parameter): string {
  if (typeof value === 'boolean') return '::boolean'
  if (typeof value === 'bigint') return '::bigint'
  if (value instanceof Date) return '::timestamptz'
  if (value instanceof Uint8Array) return '::bytea'
  return ''
}

/** A pool or a transaction: the parameter of functions that can be part of a transaction. */
export interface Queryable {
  /** A statement, or a part of one. */
  <Rows extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...parameters: Parameter[]
  ): Query<Rows>
  /** The name of a table or column. */
  (name: string): Identifier
  json(value: unknown): Json
  /** Sends the text unchanged. It must not contain input. */
  unsafe<Rows extends readonly object[] = Row[]>(text: string): Query<Rows>
}

export function queryableOn(runner: Runner): Queryable {
  const write = (strings: TemplateStringsArray | string, ...parameters: Parameter[]) =>
    typeof strings === 'string' ? new Identifier(strings) : new Query(runner, strings, parameters)
  return Object.assign(write, {
    json: (value: unknown) => new Json(value),
    unsafe: (text: string) => new Query(runner, [text], [], true),
  }) as Queryable
}
