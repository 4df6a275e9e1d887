import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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
  const dead = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/i.test(link)) return []
      const [file, anchor] = link.split('#')
      const target = file ? normalize(join(dirname(path), file)) : path
      const isFound = existsSync(join(ROOT, target)) && (!anchor || anchorsOf(target).includes(anchor))
      return isFound ? [] : [`${path}: ${link}`]
    }),
  )

  expect(documents.length).toBeGreaterThan(10)
  expect(dead).toEqual([])
})
