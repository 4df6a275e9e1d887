import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { generateTypes } from '../../client/generateTypes.ts'
import { createApiToken, SCOPES } from '../../contract/apiTokens.ts'
import type { Scope } from '../../contract/endpoint.ts'
import { listRatings } from '../../contract/library.ts'
import { BODY_EXAMPLES, SHAPE_EXAMPLES } from '../../server/http/apiDocument/apiExamples.ts'
import { failuresOf } from '../../server/http/apiDocument/openApi.ts'
import { packagePath, readPackageText } from '../../server/packagePath.ts'
import { makeMicrogenre, rate } from '../factories.ts'
import { urlOf } from '../harness/databaseProxy.ts'
import { readContract, readContractExports } from '../harness/readContract.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder } from '../harness/setUpService.ts'
import { startProgram } from '../harness/startProgram.ts'
import type { Visitor } from '../harness/visitor.ts'

/* The API document at /docs/json is correct, and complete enough to write a client from. */

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: unknown[]
  'x-stability'?: string
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, unknown>
}

interface ErrorResponse {
  content: { 'application/json': { example?: unknown } }
}

const app = setUpApp()
const folder = setUpFolder()
const endpoints = await readContract()
const exportedEndpoints = await readContractExports()

test('an OpenAPI linter finds no problems', async () => {
  const { text } = await app.visitor().raw('/docs/json')
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The server that the document describes also serves it, so its address is relative.
      'no-server-example.com': 'off',
      // Browser navigations answer with a redirect.
      'operation-2xx-response': 'off',
      'no-empty-servers': 'error',
      'operation-4xx-response': 'error',
      'operation-operationId': 'error',
      'no-unused-components': 'error',
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
    },
  })
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })

  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('every endpoint is listed with its input, responses, tag and security', async () => {
  const paths = await readPaths()

  for (const endpoint of endpoints) {
    const { method, path, access, scope, params, query, body } = endpoint
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    const named = (place: string) =>
      operation?.parameters.filter((one) => one.in === place).map(({ name }) => name)

    expect(operation, `${method} ${path}`).toBeDefined()
    expect(operation?.summary).toBe(endpoint.summary)
    expect(operation?.tags).toHaveLength(1)
    expect(named('path')).toEqual(Object.keys(params?.shape ?? {}))
    expect(named('query')).toEqual(Object.keys(query?.shape ?? {}))
    expect(operation?.requestBody?.content['application/json'] !== undefined).toBe(body !== undefined)
    expect(operation?.security).toEqual([
      ...(access === 'public' || access === 'signed-address' ? [] : [{ session: [] }]),
      ...(scope ? [{ token: [scope] }] : []),
    ])
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['429', '500', '503']))
  }
})

test('calls-6: every error response shows an example body with a message', async () => {
  const { body } = await app.visitor().raw('/docs/json')
  const { responses } = (body as { components: { responses: Record<string, ErrorResponse> } }).components
  const used = new Set(endpoints.flatMap(failuresOf))

  expect(Object.keys(responses).sort()).toEqual([...used].map((status) => `Error${status}`).sort())
  for (const [name, { content }] of Object.entries(responses))
    expect(content['application/json'].example, name).toEqual({
      message: expect.stringMatching(/^[A-Z].*\.$/),
    })
})

test('every body has an example, and all examples are valid', () => {
  for (const [name, example] of Object.entries(SHAPE_EXAMPLES)) {
    const shape = exportedEndpoints[name] as z.ZodMiniType
    expect(z.safeParse(shape, example), name).toMatchObject({ success: true, data: example })
  }
  const withBody = Object.entries(exportedEndpoints).filter(([, value]) => (value as { body?: unknown }).body)
  expect(Object.keys(BODY_EXAMPLES).sort()).toEqual(withBody.map(([name]) => name).sort())
  for (const [name, value] of withBody) {
    const { body } = value as { body: z.ZodMiniObject }
    expect(z.safeParse(body, BODY_EXAMPLES[name]), name).toMatchObject({ success: true })
  }
})

const SONG =
  'id title artist year albumArt youtubeId youtubeBlocked spotifyId deezerId deezerTrackId audio duration microgenre microgenreId color'
const OFFERED = `${SONG} putOff reason`
const inside = (name: string, fields: string) => fields.replace(/\w+/g, `${name}.$&`)

/** The required and the optional input of each stable call, and the fields of its answer. Only ever add to the last two. */
const PROMISE: Record<string, [required: string, optional: string, fields: string]> = {
  'GET /api/microgenres': ['', '', 'id name description color songCount family mood unratedCount reason'],
  'GET /api/microgenres/:id/next-song': [
    'id',
    'prefetch',
    `${OFFERED} prefetch songs ${inside('songs', OFFERED)}`,
  ],
  'POST /api/batch/rate-and-advance': [
    'microgenreId songId rating',
    'heard zone',
    `completed nextSong ${inside('nextSong', OFFERED)} ratedAt listeners room ${inside('room', 'listeners bangers')} totals ${inside('totals', 'totalBangers totalRatings')} today unlocked`,
  ],
  'GET /api/users/me/ratings': ['', 'type limit after', `id rating createdAt song ${inside('song', SONG)}`],
  'DELETE /api/users/me/ratings/:songId': ['songId', 'undo ratedAt createdAt', 'success'],
  'GET /api/users/me/export': ['', 'format', ''],
  'GET /api/users/me/bangers/export': ['form', 'microgenre search sort', ''],
}

test('calls-14: stable calls are marked, keep their fields and require nothing new', async () => {
  const paths = await readPaths()
  const stable = endpoints.filter(({ isStable }) => isStable)
  expect(stable.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(PROMISE).sort())

  for (const { method, path, params, query, body, response } of stable) {
    const words = (text = '') => text.split(' ').filter(Boolean)
    const [required, optional, fields] = PROMISE[`${method} ${path}`]?.map(words) ?? []
    const inputs = [params, query, body].flatMap((shape) => (shape ? [inputOf(shape)] : []))
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

    expect(operation?.['x-stability'], path).toBe('stable')
    expect(inputs.flatMap((input) => input.required ?? []).sort(), path).toEqual(required?.sort())
    expect(inputs.flatMap(fieldsOf), path).toEqual(
      expect.arrayContaining([...(required ?? []), ...(optional ?? [])]),
    )
    expect(response ? fieldsOf(z.toJSONSchema(response)) : [], path).toEqual(
      expect.arrayContaining(fields ?? []),
    )
  }
})

const inputOf = (shape: z.ZodMiniType) => z.toJSONSchema(shape, { io: 'input' })

/** The fields of a schema, with those inside of them as `song.title`. */
function fieldsOf({ anyOf = [], items, properties = {} }: z.core.JSONSchema.BaseSchema): string[] {
  const inner = Object.entries(properties).flatMap(([name, schema]) => [
    name,
    ...fieldsOf(schema as z.core.JSONSchema.BaseSchema).map((field) => `${name}.${field}`),
  ])
  return [
    ...[...anyOf, ...(items ? [items] : [])].flatMap((each) =>
      fieldsOf(each as z.core.JSONSchema.BaseSchema),
    ),
    ...inner,
  ]
}

/** A program as somebody writes it, with the types that openapi-typescript generates. */
const CLIENT = `
import type { paths } from './schema.ts'

type Body<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : undefined
type Input<Call> = Call extends { requestBody: infer Content } ? Body<Content> : undefined
type Answer<Call> = Call extends { responses: { 200: infer Content } } ? Body<Content> : never

export async function rateTenSongs(url: string, token: string): Promise<string[]> {
  async function call<Path extends keyof paths, Method extends keyof paths[Path] & string>(
    method: Method, path: Path, { id = '', body }: { id?: string; body?: Input<paths[Path][Method]> } = {},
  ): Promise<Answer<paths[Path][Method]>> {
    const response = await fetch(url + path.replace('{id}', id), {
      method: method.toUpperCase(),
      headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Answer<paths[Path][Method]>
  }
  const rated: string[] = []
  for (const { id: microgenreId, unratedCount } of await call('get', '/api/microgenres')) {
    if (unratedCount === 0) continue
    const first = await call('get', '/api/microgenres/{id}/next-song', { id: microgenreId })
    let song = 'songs' in first ? null : first
    while (song && rated.length < 10) {
      const body = { microgenreId, songId: song.id, rating: 'banger' as const }
      rated.push(song.id)
      song = (await call('post', '/api/batch/rate-and-advance', { body })).nextSong
    }
  }
  return rated
}
`

test('a client with types that openapi-typescript generates rates ten songs', async () => {
  const { text } = await app.visitor().raw('/docs/json')
  await writeFile(join(folder, 'schema.ts'), await generateTypes(text))
  await writeFile(join(folder, 'client.ts'), CLIENT)
  await writeFile(join(folder, 'wrong.ts'), CLIENT.replace("'banger'", "'best'"))
  const { stdout } = await run(process.execPath, [
    packagePath('node_modules/typescript/bin/tsc'),
    ...['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', ''],
    ...['--allowImportingTsExtensions', '--pretty', 'false', 'client.ts', 'wrong.ts'],
  ]).catch((error: { stdout: string }) => error)
  expect(stdout.match(/^\S.*/gm)).toEqual([expect.stringMatching(/^wrong\.ts.*'best'.*"banger" \| "bust"/)])

  const ada = await app.signIn()
  const { rateTenSongs } = (await import(pathToFileURL(join(folder, 'client.ts')).href)) as {
    rateTenSongs: (url: string, token: string) => Promise<string[]>
  }
  const rated = await rateTenSongs(app.url, await makeToken(ada, ['read', 'rate']))
  expect(rated).toHaveLength(10)
  expect((await ada.call(listRatings)).body.map(({ id }) => id).sort()).toEqual(rated.sort())
})

describe('docs/api.md', () => {
  const page = readPackageText('docs/api.md')
  const examples = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))

  test('/docs begins with the page', async () => {
    const { body } = await app.visitor().raw('/docs/json')
    expect(body).toMatchObject({ info: { description: page } })
  })

  test.each([
    ['sh', 'sh', ['-ec'], ''],
    ['js', process.execPath, ['--input-type=module', '-e'], /^Rated and undone: ./],
    ['py', 'python3', ['-c'], /^2 .+\n$/],
  ])('calls-14: the example in %s runs as it stands there', async (name, program, args, expected) => {
    const ada = await app.signIn()
    const { id, songs } = await makeMicrogenre(app.db, 3)
    for (const song of songs.slice(1)) await rate(ada, id, song)
    const env = { ...process.env, BANGER_URL: app.url, BANGER_TOKEN: await makeToken(ada, [...SCOPES]) }
    const found = examples.filter(({ language }) => language === name)
    expect(found).toHaveLength(1)

    const { stdout, stderr } = await run(program, [...args, found[0]?.code ?? ''], env)
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(expected), stderr: '' })
    if (name === 'sh') expect(await readFile(join(folder, 'bangers.csv'), 'utf8')).toContain('Song 2')
    expect((await ada.call(listRatings)).body).toHaveLength(2)
  })
})

const run = (program: string, args: string[], env = process.env) =>
  promisify(execFile)(program, args, { cwd: folder, env })

const makeToken = async (who: Visitor, scopes: Scope[]) =>
  (await who.call(createApiToken, { body: { name: 'Program', scopes } })).body.token

async function readPaths(): Promise<Record<string, Record<string, Operation>>> {
  const { body } = await app.visitor().raw('/docs/json')
  return (body as { paths: Record<string, Record<string, Operation>> }).paths
}

describe('programs', () => {
  /* How an operator's program answers wrong arguments. */

  const database = setUpDatabase()
  const folder = setUpFolder()

  function run(name: string, args: string[], env: Record<string, string> = {}) {
    return startProgram(name, args, { env: { DATA_DIR: folder, ...env }, folder }).programEnd
  }

  test.each([
    ['account', ['constructor', 'ada@example.test']],
    ['account', ['invite', '--days', 'many']],
    ['backup', []],
    ['backup', ['one', 'two']],
    ['catalogue', ['export']],
    ['database', ['destroy']],
    ['doctor', ['--all']],
    ['feedback', ['--since', '2026-02-30']],
    ['feedback', ['--since', '2025-02-29']],
    ['feedback', ['--since', '2026-04-31']],
    ['feedback', ['--since', 'yesterday']],
    ['learn', ['now']],
    ['restore', []],
    ['restore', ['one', 'two']],
    ['share', ['revoke']],
    ['signInLink', ['nobody']],
  ])('%s %j prints how it is called and exits with 2', async (name, args) => {
    const { code, stdout, stderr } = await run(name, args)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: npm run /)
  })

  test.each([
    [
      'backup',
      ['nowhere/a.backup'],
      /^\S+\/nowhere\/a\.backup cannot be used: no such file or directory\.\n$/,
    ],
    ['restore', ['nowhere/a.backup'], /^There is no file \S+nowhere\/a\.backup\.\n$/],
    ['feedback', [], /^The database does not answer: .*ECONNREFUSED.*\n$/, 'postgres://127.0.0.1:9/bangers'],
  ])('%s %j says in words what failed', async (name, args, words, address?: string) => {
    const { code, stderr } = await run(name, args, { DATABASE_URL: address ?? urlOf(database.target) })

    expect(stderr).toMatch(words)
    expect(code).toBe(1)
  })
})
