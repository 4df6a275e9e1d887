import { createConfig, lintFromString } from '@redocly/openapi-core'
import axios from 'axios'
import { type Document, OpenAPIClientAxios } from 'openapi-client-axios'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { BODY_EXAMPLES, SHAPE_EXAMPLES } from '../../server/http/apiDocument/apiExamples.ts'
import { failuresOf } from '../../server/http/apiDocument/openApi.ts'
import { urlOf } from '../harness/databaseProxy.ts'
import { readContract, readContractExports } from '../harness/readContract.ts'
import { setUpApp } from '../harness/setUpApp.ts'
import { setUpDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder } from '../harness/setUpService.ts'
import { startProgram } from '../harness/startProgram.ts'

/* The API document at /docs/json is correct, and complete enough to write a client from. */

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: unknown[]
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, unknown>
}

interface ErrorResponse {
  content: { 'application/json': { example?: unknown } }
}

const app = setUpApp()
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
    const { method, path, access, params, query, body } = endpoint
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    const named = (place: string) =>
      operation?.parameters.filter((one) => one.in === place).map(({ name }) => name)

    expect(operation, `${method} ${path}`).toBeDefined()
    expect(operation?.summary).toBe(endpoint.summary)
    expect(operation?.tags).toHaveLength(1)
    expect(named('path')).toEqual(Object.keys(params?.shape ?? {}))
    expect(named('query')).toEqual(Object.keys(query?.shape ?? {}))
    expect(operation?.requestBody?.content['application/json'] !== undefined).toBe(body !== undefined)
    expect(operation?.security).toEqual(
      access === 'public' || access === 'signed-address' ? [] : [{ session: [] }],
    )
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

test('a client generated from the document signs in, rates ten songs and reads the library', async () => {
  const { body: definition } = await app.visitor().raw('/docs/json')
  const cookies = new Map<string, string>()
  const api = new OpenAPIClientAxios({
    definition: definition as Document,
    axiosConfigDefaults: { baseURL: app.url, maxRedirects: 0, validateStatus: (status) => status < 400 },
  })
  const client = await api.init()
  client.interceptors.request.use((config) => {
    config.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    return config
  })
  client.interceptors.response.use((answer) => {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  })
  const call = async (operation: string, parameters?: object, data?: object) =>
    (
      await (client as unknown as Record<string, (...input: unknown[]) => Promise<{ data: unknown }>>)[
        operation
      ]?.(parameters, data)
    )?.data

  const { magicLink } = (await call('sendMagicLink', {}, { email: 'client@example.test' })) as {
    magicLink: string
  }
  await call('followMagicLink', { token: new URL(magicLink).searchParams.get('token') })
  let rated = 0
  for (const { id } of (await call('listMicrogenres')) as { id: string }[]) {
    let { songs } = (await call('getNextSong', { id, prefetch: 'true' })) as { songs: { id: string }[] }
    while (songs[0] && rated < 10) {
      await call('rateAndAdvance', {}, { microgenreId: id, songId: songs[0].id, rating: 'banger' })
      rated += 1
      songs = ((await call('getNextSong', { id, prefetch: 'true' })) as { songs: { id: string }[] }).songs
    }
  }

  expect(await call('listRatings', { type: 'banger' })).toHaveLength(10)
  await expect(call('getNextSong', { id: '0' })).rejects.toSatisfy(
    (error) => axios.isAxiosError(error) && error.response?.status === 404,
  )
})

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
