import { Identifier, Json, type Parameter, Query, type Row, type Runner } from './sql.ts'

/** A pool or a transaction. Functions take it that can be part of a transaction. */
export interface Queryable {
  /** A statement, or a part of one. */
  <Rows extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...parameters: Parameter[]
  ): Query<Rows>
  /** The name of a table or column. */
  (name: string): Identifier
  json(value: unknown): Json
  /** Text that is sent unchanged. It must not contain anything from outside. */
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
