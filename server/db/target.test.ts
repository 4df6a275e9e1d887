import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { setUpFolder } from '../../tests/harness/setUpService.ts'
import { readTarget } from './target.ts'

const folder = setUpFolder()
const plain = { ssl: false }

test('a URL names user, password, server and database', () => {
  expect(readTarget('postgres://ada:s%40crt@db.example:6543/banger?sslmode=disable')).toEqual({
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
    'postgres://ada:a@b@one:5432,two:5433,three/banger?sslmode=disable&target_session_attrs=primary',
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

/** Whether TLS is tried, whether the certificate is checked, and the name in it. */
const encryptionsOf = (parameters: string) =>
  readTarget(`postgres://one/banger?${parameters}`).hosts.map(
    ({ ssl }) =>
      ssl && {
        chain: ssl.rejectUnauthorized,
        name: ssl.rejectUnauthorized && !ssl.checkServerIdentity,
      },
  )
const encrypted = { chain: false, name: false }
const withChain = { chain: true, name: false }
const withName = { chain: true, name: true }

test.each([
  ['', [encrypted, false]],
  ['sslmode=disable', [false]],
  ['sslmode=allow', [false, encrypted]],
  ['sslmode=prefer', [encrypted, false]],
  ['sslmode=require', [encrypted]],
  ['sslmode=no-verify', [encrypted]],
  ['ssl=true', [encrypted]],
  ['sslmode=verify-ca', [withChain]],
  ['sslmode=verify-full', [withName]],
  ['sslrootcert=system', [withName]],
])('TLS is used as libpq does: %s', (parameters, encryptions) => {
  expect(encryptionsOf(parameters)).toEqual(encryptions)
  expect(readTarget(`postgres://one/banger?${parameters}`).settings).toEqual({})
})

test('the files of TLS are read', () => {
  const file = path.join(folder, 'root.crt')
  writeFileSync(file, 'a certificate')

  expect(encryptionsOf(`sslmode=require&sslrootcert=${file}`)).toEqual([withChain])
  expect(
    readTarget(`postgres://one/banger?sslmode=verify-full&sslrootcert=${file}&sslcert=${file}&sslkey=${file}`)
      .hosts[0]?.ssl,
  ).toMatchObject({ ca: 'a certificate', cert: 'a certificate', key: 'a certificate' })
})

test.each([
  ['sslmode=verify_full', 'sslmode must be one of disable, allow,'],
  ['sslmode=require&sslrootcert=system', 'sslrootcert=system needs sslmode=verify-full'],
  ['sslmode=verify-ca&sslrootcert=/nowhere/ca.pem', 'sslrootcert: /nowhere/ca.pem cannot be read (ENOENT)'],
])('%s is refused', (parameters, message) => {
  expect(() => readTarget(`postgres://one/banger?${parameters}`)).toThrow(message)
})

test('user, password and database may be parameters', () => {
  expect(
    readTarget('postgres:///?host=/cloudsql/a:b:c&user=ada&password=s%2Fcrt&dbname=banger'),
  ).toMatchObject({
    hosts: [{ host: '/cloudsql/a:b:c', ssl: false }],
    user: 'ada',
    password: 's/crt',
    database: 'banger',
  })
})

test('other parameters of the URL become session settings', () => {
  const { settings } = readTarget(
    'postgres://one/banger?application_name=mine&options=-c%20search_path%3Dother&connect_timeout=3',
  )

  expect(settings).toEqual({ application_name: 'mine', options: '-c search_path=other' })
})

test.each([
  'one:port/banger',
  'a%b@one/banger',
  'a/b@one/banger',
  '1/b@one/banger',
  '1#b@one/banger',
  '1?b@one/banger',
])('what an unescaped password makes of the address is refused without quoting it: %s', (rest) => {
  expect(() => readTarget(`postgres://ada:secret${rest}`)).toThrow(
    /^is invalid: in user and password .*%23 for #/,
  )
  expect(() => readTarget(`postgres://ada:1${rest}`)).toThrow(/^is invalid: (?!.*one)/)
})
