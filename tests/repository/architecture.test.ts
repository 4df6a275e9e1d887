import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'

const check = resolve(import.meta.dirname, '../../scripts/checkArchitecture.mjs')
const houses: string[] = []
afterEach(() => {
  for (const house of houses.splice(0)) rmSync(house, { recursive: true })
})

test('the house as it stands keeps its rules', () => {
  const { status, output } = run(resolve(import.meta.dirname, '../..'))
  expect(output).toMatch(/ 0 violations/)
  expect(status).toBe(0)
})

test('a house with nothing in it fails: nothing was checked', () => {
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
  'server-ground-knows-no-domain': {
    'server/http/route.ts': "import { find } from '../auth/sessions.ts'\nexport const route = find",
    'server/auth/sessions.ts': 'export const find = 1',
  },
  'web-ground-knows-no-domain': {
    'web/ui/Button.tsx':
      "import { song } from '../discovery/song.ts'\nexport const Button = () => <b>{song}</b>",
    'web/discovery/song.ts': 'export const song = 1',
  },
  'nobody-imports-the-app': {
    'web/library/Tile.tsx': "import { App } from '../app/App.tsx'\nexport const Tile = App",
    'web/app/App.tsx': 'export const App = () => <b>app</b>',
  },
  'no-circles-between-folders': {
    'server/discovery/one.ts': "import { two } from '../library/two.ts'\nexport const one = two",
    'server/library/two.ts': 'export const two = 1',
    'server/library/three.ts': "import { four } from '../discovery/four.ts'\nexport const three = four",
    'server/discovery/four.ts': 'export const four = 1',
  },
  'fastify-at-the-edge': {
    'server/discovery/rateSong.ts': "import fastify from 'fastify'\nexport const app = fastify",
  },
}

test.each(Object.entries(broken))('a planted violation of %s is found', (rule, files) => {
  const { status, output } = run(plant(files))
  expect(output).toContain(`${rule}: `)
  expect(status).toBe(1)
})

function plant(files: Record<string, string>): string {
  const house = mkdtempSync(join(tmpdir(), 'house-'))
  houses.push(house)
  for (const folder of ['contract', 'catalogue', 'server', 'web']) mkdirSync(join(house, folder))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, file)), { recursive: true })
    writeFileSync(join(house, file), `${text}\n`)
  }
  writeFileSync(join(house, 'package.json'), '{ "type": "module", "dependencies": { "fastify": "*" } }')
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(house, 'node_modules'))
  return house
}

function run(cwd: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [check], { cwd, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
