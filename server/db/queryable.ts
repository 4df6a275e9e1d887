import { Identifier, Json, type Parameter, Query, type Row, type Runner } from './sql.ts'

/** A pool or a transaction: what a function takes that must fit into a transaction. */
export interface Queryable {
  /** A statement, or a part of one. */
  <Rows extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...parameters: Parameter[]
  ): Query<Rows>
  /** The name of a table or column. */
  (name: string): Identifier
  json(value: unknown): Json
  /** Text that is sent as it is; nothing from outside belongs into it. */
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
