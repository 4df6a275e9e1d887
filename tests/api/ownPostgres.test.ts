import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, inject, onTestFinished, test } from 'vitest'
import { type ConnectionTarget, connect, withDatabase } from '../../server/db/connection.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { checkDatabase } from '../../server/doctor/checkDatabase.ts'
import { readEnv } from '../../server/env.ts'
import { packagePath } from '../../server/packagePath.ts'
import { startDatabaseProxy, urlOf } from '../harness/databaseProxy.ts'
import { setUpDatabase, withEmptyDatabase } from '../harness/setUpDatabase.ts'
import { setUpFolder } from '../harness/setUpService.ts'
import { databaseAt, maintenance, withConnection } from '../harness/testCluster.ts'
import { CERTIFICATE, startTlsDatabase } from '../stand-ins/tlsDatabase.ts'

/* A PostgreSQL that somebody else has set up. */

const database = setUpDatabase()
const folder = setUpFolder()
const root = path.join(folder, 'root.crt')
writeFileSync(root, CERTIFICATE)
const servers: Awaited<ReturnType<typeof startTlsDatabase>>[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))

async function start(options?: { name?: string; offersTls?: boolean }) {
  const server = await startTlsDatabase(database.target, options)
  servers.push(server)
  return server
}

const use = (address: string) => withDatabase(address, async (db) => (await db`select 7 as it`)[0]?.it)

test.each([
  ['localhost', ''],
  ['localhost', 'sslmode=allow'],
  ['localhost', 'sslmode=require'],
  ['localhost', `sslmode=verify-full&sslrootcert=${root}`],
  ['127.0.0.1', `sslmode=verify-full&sslrootcert=${root}`],
  ['127.0.0.2', `sslmode=verify-ca&sslrootcert=${root}`],
])('a server at %s that demands TLS gets it with "%s"', async (name, parameters) => {
  const server = await start({ name })
  expect(await use(`${server.address}?${parameters}`)).toBe(7)
  expect(server.encrypted()).toBe(1)
})

test.each([
  ['localhost', 'sslmode=disable', /no encryption$/],
  ['localhost', 'sslmode=verify-full', /^The database's certificate is not trusted \(.*sslrootcert/],
  ['127.0.0.2', `sslmode=verify-full&sslrootcert=${root}`, /does not match certificate's altnames/],
])('a server at %s that demands TLS cannot be used with "%s"', async (name, parameters, message) => {
  const server = await start({ name })
  await expect(use(`${server.address}?${parameters}`)).rejects.toThrow(message)
})

test('a server without TLS is used, except where the address demands it', async () => {
  const server = await start({ offersTls: false })
  expect(await use(server.address)).toBe(7)
  await expect(use(`${server.address}?sslmode=require`)).rejects.toThrow(/does not support SSL/)
})

test('a server that was unreachable is not used without TLS afterwards', async () => {
  const server = await start()
  const db = connect(server.address, { max: 1 })
  await db`select 1`
  await server.close()
  await expect((async () => db`select 1`)()).rejects.toThrow()
  await expect((async () => db`select 1`)()).rejects.toThrow(/ECONNREFUSED/)
  await server.restore()
  await db`select 1`

  expect(server.encrypted()).toBe(2)
  await db.end()
})

test.each(['SQL_ASCII', 'LATIN1'])('a database with the encoding %s is refused', async (encoding) => {
  const name = `bob_${encoding.toLowerCase()}_${process.pid}`
  await maintenance(inject('server'), (db) =>
    db.unsafe(
      `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    ),
  )
  const target = databaseAt(inject('server'), name)
  try {
    await expect(migrateDatabase(target)).rejects.toThrow(
      new RegExp(`^The database ${name} has the encoding ${encoding}, .*ENCODING 'UTF8'`),
    )
    expect(await doctorSays(target)).toMatchObject({
      state: 'fault',
      message: expect.stringContaining(encoding),
    })
  } finally {
    await maintenance(inject('server'), (db) => db.unsafe(`drop database ${name} with (force)`))
  }
})

test.each([
  [
    'the schema public',
    'grant create on database NAME to ROLE',
    /^The role \w+ may not create tables in the schema public of .*ALTER DATABASE \w+ OWNER TO \w+$/,
  ],
  ['the database', 'grant create on schema public to ROLE', /^The role \w+ may not create .*ALTER DATABASE/],
  [
    'any schema',
    'alter database NAME set search_path = nowhere',
    /^The database \w+ has a search_path .* SET search_path = public$/,
  ],
])('for a role that may not create in %s the error says what to change', async (_, prepare, message) => {
  await withEmptyDatabase(async (target) => {
    const role = `guest_${process.pid}_${Date.now()}`
    const [{ name } = { name: '' }] = await withConnection(
      target,
      (db) => db<{ name: string }[]>`select current_database() as name`,
    )
    const asOwner = (text: string) =>
      maintenance(inject('server'), (db) => db.unsafe(text.replaceAll('NAME', name).replaceAll('ROLE', role)))
    await asOwner('create role ROLE')
    try {
      if (prepare.includes('schema'))
        await withConnection(target, (db) => db.unsafe(prepare.replace('ROLE', role)))
      else await asOwner(prepare)
      await asOwner('alter database NAME set role = ROLE')
      await expect(migrateDatabase(target)).rejects.toThrow(message)
      expect(await doctorSays(target)).toMatchObject({
        state: 'warning',
        message: expect.stringMatching(message),
      })
    } finally {
      await asOwner('alter database NAME reset role')
      await withConnection(target, (db) => db.unsafe(`drop owned by ${role}`))
      await asOwner('drop owned by ROLE')
      await asOwner('drop role ROLE')
    }
  })
})

test('the doctor names every host of the address, and never the password', async () => {
  const DATABASE_URL = 'postgres://ada:hunter2@127.0.0.1:9,127.0.0.1:10/banger?target_session_attrs=primary'
  const [finding] = await checkDatabase(readEnv({ DATABASE_URL }))

  expect(finding).toMatchObject({
    state: 'fault',
    message: '127.0.0.1:9, 127.0.0.1:10 does not answer (ECONNREFUSED)',
  })
})

test('the doctor checks each address of a database separately', async () => {
  const own = urlOf(database.target)
  const findings = await checkDatabase(
    readEnv({ DATABASE_URL: own, DATABASE_READ_URL: 'postgres://127.0.0.1:9/replica', DATA_DIR: folder }),
  )
  expect(findings[1]).toMatchObject({ state: 'fault', message: '127.0.0.1:9 does not answer (ECONNREFUSED)' })

  const [used, pooler] = await checkDatabase(
    readEnv({ DATABASE_URL: 'postgres://127.0.0.1:10/pooler', DATABASE_DIRECT_URL: own, DATA_DIR: folder }),
  )
  expect(used).toMatchObject({ state: 'ok', message: expect.not.stringContaining('127.0.0.1:10') })
  expect(pooler).toMatchObject({ state: 'fault', message: expect.stringContaining('127.0.0.1:10') })
})

async function doctorSays(target: ConnectionTarget) {
  const [finding] = await checkDatabase(readEnv({ DATABASE_URL: urlOf(target), DATA_DIR: folder }))
  return finding
}

test('the server waits for a database that is not there yet', async () => {
  const proxy = await startDatabaseProxy(database.target)
  onTestFinished(proxy.close)
  await proxy.cut()
  const server = startServer(proxy.target)
  await expect.poll(server.output, PATIENTLY).toMatch(/The database does not answer: .* Will retry\./)
  await proxy.restore()
  await expect.poll(server.output, PATIENTLY).toContain('loading the catalogue')
  server.child.kill('SIGTERM')
  await server.ended

  expect(server.output().match(/Will retry/g)).toHaveLength(1)
})

test('a wrong setting ends the start for good', async () => {
  const server = startServer('mysql://localhost/banger')

  expect(await server.ended).toEqual([78, null])
})

/** Starting takes long on a busy machine. */
const PATIENTLY = { timeout: 60_000 }

function startServer(DATABASE_URL: string) {
  const { PATH, HOME } = process.env
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), packagePath('server/main.ts')],
    {
      env: {
        PATH,
        HOME,
        NODE_ENV: 'test',
        LOG_LEVEL: 'error',
        PORT: '0',
        DATABASE_URL,
        DATA_DIR: path.join(folder, 'data'),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  return { child, output: () => output, ended: once(child, 'close') }
}
