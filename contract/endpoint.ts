import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Header with the id of the listener for whom a change is meant. A session of another listener is refused with 409
 * (signin-26).
 */
export const LISTENER_HEADER = 'X-Listener'

/**
 * Who may call: anyone; a signed-in listener; a steward of the desk (desk-10); a listener who may see the diagnostic
 * pages (diagnostics-1); or anyone with an address that the server signed.
 */
export type Access = 'public' | 'signed-in' | 'steward' | 'diagnostics' | 'signed-address'

/** What a token may allow: reading what is the listener's, rating, files (signin-28). */
export type Scope = 'read' | 'rate' | 'export'

/** What the id in the path names, which must be the caller's. Another listener's is 404, like an unknown one. */
export type Owned =
  | 'collection'
  | 'mix'
  | 'achievement'
  | 'upload'
  | 'session'
  | 'passkey'
  | 'token'
  | 'suggestion'
  | 'report'
  | 'import'

/**
 * One HTTP call, defined once. The server's route, the web's call, the API document and the tests all use this
 * value. A `response` is JSON; `answers` names other kinds.
 */
export interface Endpoint {
  readonly method: Method
  /** With `:name` for each parameter. */
  readonly path: string
  readonly access: Access
  readonly owns?: Owned
  /** The scope of a token that opens the call. Without one, tokens get 403 (signin-28). */
  readonly scope?: Scope
  /** Programs may rely on it: its path, its input and the fields of its answer stay (calls-14). */
  readonly isStable?: true
  /** One line for the API document. */
  readonly summary: string
  /** The path's parameters. A malformed `Id` answers 404, like one that does not exist; any other one 400. */
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniObject
  /** The body is a file that the handler streams; the call's deadline does not apply while it arrives. */
  readonly accepts?: 'bytes'
  /** Milliseconds, where five seconds are not enough. */
  readonly deadline?: number
  /** Bytes of a JSON body that may exceed the usual limit. */
  readonly maxBody?: number
  readonly response?: z.ZodMiniType
  /** `document` and `file` are streamed or binary; `redirect` is a browser navigation. */
  readonly answers?: 'redirect' | 'document' | 'file'
  /** A list that supports `Range: items=20-39` for a part of it (RFC 9110 §14). */
  readonly ranges?: 'items'
  /** Error statuses beyond those that follow from access, input and limits; the API document names them all. */
  readonly fails?: readonly number[]
}

/** Defines an endpoint: `endpoint('GET /api/songs/:id', {…})`. */
export function endpoint<
  M extends Method,
  Path extends `/${string}`,
  const Definition extends Omit<Endpoint, 'method' | 'path'>,
>(
  call: `${M} ${Path}`,
  definition: Definition & NamesParams<Path>,
): Definition & { readonly method: M; readonly path: Path } {
  const [method, path] = call.split(' ') as [M, Path]
  return { method, path, ...definition }
}

/** A path with parameters declares them. */
type NamesParams<Path extends string> = [ParamName<Path>] extends [never]
  ? unknown
  : { readonly params: z.ZodMiniObject<Record<ParamName<Path>, z.ZodMiniType>> }

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type ParamsOf<E extends Endpoint> = Record<ParamName<E['path']>, string>
export type QueryOf<E extends Endpoint> = E extends { query: infer Q extends z.ZodMiniType }
  ? z.output<Q>
  : unknown
export type BodyOf<E extends Endpoint> = E extends { body: infer B extends z.ZodMiniType }
  ? z.output<B>
  : unknown
export type ResponseOf<E extends Endpoint> = E extends { response: infer R extends z.ZodMiniType }
  ? z.output<R>
  : undefined
