import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../server/packagePath.ts'

/* There is no container engine where tests run, so these tests check that the files refer to what exists. */

const text = (path: string) => readFileSync(packagePath(path), 'utf8')
const settings = new Set([...text('.env.example').matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, key]) => key))

test.each([
  ['compose.yaml', /^ {6}([A-Z][A-Z0-9_]*):/gm],
  ['deploy/kubernetes/settings.yaml', /^ {2}([A-Z][A-Z0-9_]*):/gm],
  ['Dockerfile', /\b([A-Z][A-Z0-9_]*)=/g],
])('%s sets only variables that the server reads', (file, pattern) => {
  const set = [...text(file).matchAll(pattern)].map(([, key]) => key ?? '')
  // The database of compose.yaml has its own variables.
  const unknown = set.filter((key) => !settings.has(key) && !key.startsWith('POSTGRES_'))

  expect(set.length).toBeGreaterThan(2)
  expect(unknown).toEqual([])
})

test('the image copies what a release has, and a release has files that the image build sees', () => {
  const [, list = ''] = /^const FILES = \[(.*?)\]/ms.exec(text('scripts/release.mjs')) ?? []
  const releasedPaths = [...list.matchAll(/'([^']+)'/g)].map(([, path]) => path ?? '')
  const copiedPaths = [...text('Dockerfile').matchAll(/^COPY --from=build \/release\/(\S+)/gm)].map(
    ([, path]) => path ?? '',
  )
  const ignored = text('.dockerignore').split('\n')

  expect(releasedPaths).toEqual(
    expect.arrayContaining(['dist', 'server/db/migrations', 'server/db/functions']),
  )
  const sources = releasedPaths.filter((path) => path !== 'dist')
  expect(sources.filter((path) => !existsSync(packagePath(path)) || ignored.includes(path))).toEqual([])
  const installedPaths = ['node_modules', 'package.json']
  expect(copiedPaths).toEqual(expect.arrayContaining(['dist', 'server', ...installedPaths]))
  expect(
    copiedPaths.filter(
      (path) =>
        !installedPaths.includes(path) &&
        !releasedPaths.some((file) => `${file}/`.startsWith(`${path}/`) || path.startsWith(`${file}/`)),
    ),
  ).toEqual([])
})

test('probes and proxies use paths that the server answers', () => {
  const servedPaths = ['server/http', 'server'].flatMap((folder) =>
    readdirSync(packagePath(folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map(({ name }) => text(join(folder, name))),
  )
  const requests = [...text('deploy/kubernetes/server.yaml').matchAll(/path: '?(\/[a-z]+)/g)].map(
    ([, path]) => path,
  )

  expect(new Set(requests)).toContain('/ready')
  for (const path of requests)
    expect(
      servedPaths.some((source) => source.includes(`'${path}'`)),
      path,
    ).toBe(true)
})

test.each(['grafana-dashboard.json', 'prometheus-rules.yaml'])(
  '%s uses metrics that the server exports',
  (file) => {
    const sources = readdirSync(packagePath('server'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => text(join('server', name)))
      .join('')
    const used = new Set(
      [...text(`deploy/${file}`).matchAll(/banger_\w+?(?=_bucket|_count|_sum|\b)/g)].map(([name]) => name),
    )

    expect(used.size).toBeGreaterThan(5)
    expect([...used].filter((name) => !sources.includes(`'${name}'`))).toEqual([])
  },
)

test('a change of an action, a default password or an install script does not go unnoticed', () => {
  const actions = readdirSync(packagePath('.github/workflows'))
    .flatMap((file) => [...text(join('.github/workflows', file)).matchAll(/uses: (\S+)/g)])
    .map(([, action = '']) => action)

  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  expect(text('compose.yaml')).not.toMatch(/PASSWORD:-./)
  for (const folder of ['', 'companion'])
    expect(text(join(folder, '.npmrc'))).toContain('ignore-scripts=true')
})
