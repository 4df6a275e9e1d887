import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../server/packagePath.ts'

const ROOT = packagePath('')
const documents = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path && existsSync(join(ROOT, path)))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The ids that GitHub gives to the headings of a document. */
const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replace(/ /g, '-'),
  )

test('every link of a document leads to a file and a heading that exist', () => {
  const deadLinks = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/i.test(link)) return []
      const [file, anchor] = link.split('#')
      const target = file ? normalize(join(dirname(path), file)) : path
      const isFound = existsSync(join(ROOT, target)) && (!anchor || anchorsOf(target).includes(anchor))
      return isFound ? [] : [`${path}: ${link}`]
    }),
  )

  expect(documents.length).toBeGreaterThan(10)
  expect(deadLinks).toEqual([])
})

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => /\.(tsx?|mjs|sql|md|css|html)$/.test(path))

const rules = readdirSync(join(ROOT, 'docs/product')).flatMap((file) =>
  [...read(`docs/product/${file}`).matchAll(/^- \*\*([a-z]+-\d+)\*\* /gm)].map(([, id]) => id as string),
)
const areas = [...new Set(rules.map((id) => id.replace(/-\d+$/, '')))]
const references = new RegExp(`\\b(?:${areas.join('|')})-\\d+\\b`, 'g')

/** Rules that cannot be tested, each with the reason. */
const UNTESTED_RULES: Record<string, string> = {}

test('no two rules share an id', () => {
  expect(rules.length).toBeGreaterThan(100)
  expect(rules.filter((id, i) => rules.indexOf(id) !== i)).toEqual([])
})

test('every reference names an existing rule', () => {
  const danglingPaths = files.flatMap((path) =>
    [...read(path).matchAll(references)]
      .filter(([id]) => !rules.includes(id))
      .map(([id]) => `${path}: ${id}`),
  )

  expect(danglingPaths).toEqual([])
})

test('a test names every rule', () => {
  const tests = files.filter((path) => /\.(test|spec)\.tsx?$/.test(path) && path !== thisFile)
  const named = new Set(tests.flatMap((path) => read(path).match(references) ?? []))

  expect(rules.filter((id) => !named.has(id) && !UNTESTED_RULES[id])).toEqual([])
})

test('nothing refers to documents outside of the repository', () => {
  // Landed migrations never change, including their comments.
  const others = files.filter((path) => !path.includes('/migrations/') && path !== thisFile)

  expect(
    others.filter((path) => /\bD-\d\d\b|\bspec §|\b[A-Z]{4,}(-[A-Z]+)?-\d\d\b/.test(read(path))),
  ).toEqual([])
})

const thisFile = 'tests/repository/docs.test.ts'
