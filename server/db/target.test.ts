import { expect, test } from 'vitest'
import { readTarget } from './target.ts'

const plain = { ssl: false }

test('a URL names user, password, server and database', () => {
  expect(readTarget('postgres://ada:s%40crt@db.example:6543/banger')).toEqual({
    hosts: [{ ...plain, host: 'db.example', port: 6543 }],
    role: 'any',
    user: 'ada',
    password: 's@crt',
    database: 'banger',
    settings: {},
  })
})

test('several servers are tried in turn until one has the requested role', () => {
  const { hosts, role } = readTarget(
    'postgres://ada:a@b@one:5432,two:5433,three/banger?target_session_attrs=primary',
  )

  expect(hosts).toEqual([
    { ...plain, host: 'one', port: 5432 },
    { ...plain, host: 'two', port: 5433 },
    { ...plain, host: 'three' },
  ])
  expect(role).toBe('primary')
  expect(() => readTarget('postgres://one/banger?target_session_attrs=leader')).toThrow(
    /target_session_attrs/,
  )
})

test("a unix socket's folder and a numeric address are servers too", () => {
  const hostOf = (address: string) => readTarget(address).hosts[0]?.host

  expect(readTarget('postgres://ada@/banger?host=/run/postgresql&port=6543').hosts).toEqual([
    { ...plain, host: '/run/postgresql', port: 6543 },
  ])
  expect(hostOf('postgres://ada@%2Frun%2Fpostgresql/banger')).toBe('/run/postgresql')
  expect(hostOf('postgres:///banger?host=/run/postgresql')).toBe('/run/postgresql')
  expect(hostOf('postgres://ada@[::1]:5432/banger')).toBe('::1')
})

test.each([
  ['disable', [false]],
  ['require', [{ rejectUnauthorized: false }]],
  ['prefer', [{ rejectUnauthorized: false }, false]],
  ['verify-ca', [{ rejectUnauthorized: true }]],
  ['verify-full', [{ rejectUnauthorized: true }]],
])('sslmode=%s', (mode, encryptions) => {
  const { hosts, settings } = readTarget(`postgres://one/banger?sslmode=${mode}`)

  expect(hosts.map(({ ssl }) => ssl)).toEqual(encryptions)
  expect(settings).toEqual({})
})

test('other parameters of the URL become session settings', () => {
  const { settings } = readTarget(
    'postgres://one/banger?application_name=mine&options=-c%20search_path%3Dother&connect_timeout=3',
  )

  expect(settings).toEqual({ application_name: 'mine', options: '-c search_path=other' })
})

test('an invalid URL is not quoted, because it may contain a password', () => {
  expect(() => readTarget('postgres://ada:secret@one:port/banger')).toThrow(
    /^The database address is invalid.$/,
  )
})
