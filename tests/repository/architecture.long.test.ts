import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const check = resolve(root, 'tests/repository/checkArchitecture.mjs')
const projects: string[] = []
afterEach(() => {
  for (const project of projects.splice(0)) rmSync(project, { recursive: true })
})

test('an empty project fails, because nothing was checked', () => {
  expect(run(plant({ 'server/env.ts': 'export const env = 1' })).status).toBe(1)
})

const broken: Record<string, Record<string, string>> = {
  'meet-in-the-contract': {
    'contract/song.ts': "import { db } from '../server/db/connection.ts'\nexport const song = db",
    'server/db/connection.ts': 'export const db = 1',
  },
  'web-and-server-apart': {
    'web/library/Tile.tsx':
      "import type { Db } from '../../server/db/connection.ts'\nexport const Tile = (p: Db) => <b>{p}</b>",
    'server/db/connection.ts': 'export type Db = number',
  },
  'server-and-web-apart': {
    'server/library/tile.ts': "import { Tile } from '../../web/library/Tile.tsx'\nexport const tile = Tile",
    'web/library/Tile.tsx': 'export const Tile = () => <b>tile</b>',
  },
  'server-base-knows-no-domain': {
    'server/http/route.ts': "import { find } from '../auth/sessions.ts'\nexport const route = find",
    'server/auth/sessions.ts': 'export const find = 1',
  },
  'web-base-knows-no-domain': {
    'web/ui/Button.tsx':
      "import { song } from '../discovery/song.ts'\nexport const Button = () => <b>{song}</b>",
    'web/discovery/song.ts': 'export const song = 1',
  },
  'nothing-imports-the-app': {
    'web/library/Tile.tsx': "import { App } from '../app/App.tsx'\nexport const Tile = App",
    'web/app/App.tsx': 'export const App = () => <b>app</b>',
  },
  'no-cycles-between-folders': {
    'server/discovery/one.ts': "import { two } from '../library/two.ts'\nexport const one = two",
    'server/library/two.ts': 'export const two = 1',
    'server/library/three.ts': "import { four } from '../discovery/four.ts'\nexport const three = four",
    'server/discovery/four.ts': 'export const four = 1',
  },
  'no-cycles': {
    'server/discovery/one.ts': "import { two } from './two.ts'\nexport const one = () => two",
    'server/discovery/two.ts': "import { one } from './one.ts'\nexport const two = () => one",
  },
  'fastify-at-the-edge': {
    'server/discovery/storeRatings.ts': "import fastify from 'fastify'\nexport const app = fastify",
    'node_modules/fastify/index.js': 'export default 1',
  },
  'services-at-the-edge': {
    'server/feedback/mail.ts': "import mailer from 'nodemailer'\nexport const mail = mailer",
    'node_modules/nodemailer/index.js': 'export default 1',
  },
  'no-unresolved': {
    'server/feedback/mail.ts': "import { away } from './away.ts'\nexport const mail = away",
  },
  'tables-name-their-writers': {
    'server/db/tables/directory.ts': "export const users = pgTable('users', {})",
    'server/db/tables/writers.json': '{ "users": ["auth"] }',
    'server/auth/accounts.ts':
      "import { db } from '../db/connection.ts'\nexport const make = () => db`insert into users values (1)`",
    'server/feedback/mail.ts': 'export const mail = (db: Db) => db`update users set name = null`',
    'server/db/connection.ts': 'export const db = String.raw',
  },
}

test('each import rule has a planted violation', async () => {
  const { default: config } = (await import(resolve(root, '.dependency-cruiser.mjs'))) as {
    default: { forbidden: { name: string }[] }
  }
  expect(Object.keys(broken)).toEqual(expect.arrayContaining(config.forbidden.map(({ name }) => name)))
})

test.each(Object.entries(broken))('a planted violation of %s is found', (rule, files) => {
  const { status, output } = run(plant(files))
  expect(output).toContain(`${rule}: `)
  expect(status).toBe(1)
})

test('a package other than zod/mini in the contract is found', () => {
  const { output } = run(
    plant({
      'contract/email.ts': "import { email } from 'zod'\nexport const Email = email()",
      'node_modules/zod/index.js': 'export const email = () => 1',
    }),
  )
  expect(output).toContain('meet-in-the-contract: contract/email.ts → node_modules/zod/index.js')
})

test.each([
  [
    'names from a list',
    `const MINE = ['songs', 'users'] as const
for (const table of MINE) db\`delete from \${db(table)}\``,
    'feedback writes to users',
  ],
  [
    'a name that is known only at run time',
    `const empty = (table: string) => db\`delete from \${db(table)}\``,
    'feedback writes to a dynamic table name without an `as const` list',
  ],
  ['TRUNCATE of several tables', 'db.unsafe(`truncate table songs, users`)', 'feedback writes to users'],
  [
    'COPY to a dynamic name',
    `tx.copyIn(\`copy \${table} from stdin\`, rows)`,
    'feedback writes to a dynamic table name without an `as const` list',
  ],
])('a planted write through %s is found', async (_, text, difference) => {
  expect(await findDifferences({ 'server/feedback/mail.ts': text })).toEqual([difference])
})

test('a listed writer that writes nothing is found', async () => {
  const nothing = 'export const nothing = 1'
  const files = { 'server/auth/accounts.ts': nothing, 'server/feedback/mail.ts': nothing }
  expect(await findDifferences(files)).toEqual(['auth never writes to users'])
})

async function findDifferences(files: Record<string, string>): Promise<string[]> {
  const { checkWriters } = (await import(resolve(root, 'tests/repository/findWriters.mjs'))) as {
    checkWriters(project: string): string[]
  }
  return checkWriters(plant({ ...broken['tables-name-their-writers'], ...files }))
}

test.each([
  [
    'server/library/planted.ts',
    "export const cover = () => fetch('https://example.org')",
    'outside services',
  ],
  ['web/library/planted.ts', 'export const play = (player: YT.Player) => player.playVideo()', 'IFrame API'],
])('a planted use of a global in %s is found', (file, text, words) => {
  const project = plant({ [file]: text, 'biome.json': readFileSync(resolve(root, 'biome.json'), 'utf8') })
  const args = [resolve(root, 'node_modules/@biomejs/biome/bin/biome'), 'lint', '--vcs-enabled=false', file]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
  expect(stdout + stderr).toContain(words)
  expect(status).not.toBe(0)
})

function plant(files: Record<string, string>): string {
  const project = mkdtempSync(join(tmpdir(), 'project-'))
  projects.push(project)
  for (const folder of ['contract', 'catalogue', 'server', 'web']) mkdirSync(join(project, folder))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), `${text}\n`)
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "dependencies": { "fastify": "*" } }')
  return project
}

function run(cwd: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [check], { cwd, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
