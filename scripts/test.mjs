/*
 * npm test: installs what is missing, a browser included, and runs every check. Ends with 'N passed, N failed'.
 * npm run test:all (`--all`) adds the long tests, which TEST_ALL=1 turns on.
 * `--also-node 24` repeats the unit tests on that version of Node, and runs the servers of the browser
 * tests on it.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { checkNode } from './checkNode.mjs'
import { findBrowser } from './findBrowser.mjs'
import { ensureInstalled } from './install.mjs'
import { installNode } from './installNode.mjs'
import { withProgress } from './progress.mjs'
import { root } from './root.mjs'

checkNode()
const { values: options } = parseArgs({
  options: { all: { type: 'boolean' }, 'also-node': { type: 'string' } },
})
if (options.all) process.env.TEST_ALL = '1'
const reports = await mkdtemp(path.join(os.tmpdir(), 'banger-or-bust-reports-'))
let passed = 0
/** What failed and why: repeated at the end, where one looks first after a long run. */
const failures = []

try {
  await ensureInstalled({ workspaces: true })
  await check('Types of the server', 'tsc', ['--noEmit', '-p', 'server/tsconfig.json'])
  await check('Types of the web', 'tsc', ['--noEmit', '-p', 'web/tsconfig.json'])
  await check('Types of the tests', 'tsc', ['--noEmit', '-p', 'tests/tsconfig.json'])
  await check('Lint and format', 'biome', ['ci', '--error-on-warnings'])
  await check('Unused code', 'knip', [])
  await suite('Unit and API tests', 'vitest', ['run'], readVitest)
  const version = options['also-node']
  const another = version && (await withProgress(`Looking for Node ${version}`, () => installNode(version)))
  if (another) {
    const PATH = `${another}${path.delimiter}${process.env.PATH}`
    const folders = ['contract', 'server', 'web', 'catalogue']
    await suite(`Unit tests on Node ${version}`, 'vitest', ['run', ...folders], readVitest, { PATH })
  }
  await ensureBuilt()
  const browser = await withProgress('Looking for a browser', findBrowser)
  await suite('Browser tests', 'playwright', ['test'], readPlaywright, {
    CHROMIUM_PATH: browser,
    ...(another && { SERVER_NODE: path.join(another, 'node') }),
  })
} catch (error) {
  console.error(error.message)
  failures.push(error.message)
} finally {
  await rm(reports, { recursive: true, force: true })
}

for (const failure of failures) console.log(`Failed: ${failure}`)
console.log(`${passed} passed, ${failures.length} failed`)
process.exit(failures.length > 0 ? 1 : 0)

/** One command that is right or wrong as a whole; its output shows only when it is wrong. */
async function check(title, command, args) {
  const { code, output } = await withProgress(title, () => run(command, args, { quiet: true }))
  if (code === 0) passed += 1
  else {
    failures.push(title)
    console.log(output)
  }
}

/** A test runner that tells its own counts; one that fails without counting counts as one failure. */
async function suite(title, command, args, readReport, env = {}) {
  console.log(`${title} …`)
  const report = path.join(reports, `${title}.json`)
  const { code } = await run(command, args, { env: { ...env, TEST_REPORT: report } })
  const counts = await readFile(report, 'utf8').then(
    (text) => readReport(JSON.parse(text)),
    () => ({ passed: 0, failures: [] }),
  )
  passed += counts.passed
  const names = [...counts.failures]
  if (names.length === 0 && (code !== 0 || counts.passed === 0))
    names.push(`the run itself, exit code ${code}`)
  failures.push(...names.map((name) => `${title}: ${name}`))
}

function readVitest({ numPassedTests, testResults }) {
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(root, name)
    const tests = assertionResults.filter(({ status }) => status === 'failed')
    if (tests.length === 0) return message ? [describe(file, message)] : []
    return tests.map((test) => describe(`${file}: ${test.fullName}`, test.failureMessages[0]))
  })
  return { passed: numPassedTests, failures }
}

/** A test that passed only at a second try has failed. */
function readPlaywright({ stats, suites }) {
  const specsOf = ({ specs, suites: inner = [] }) => [...specs, ...inner.flatMap(specsOf)]
  const failures = suites
    .flatMap(specsOf)
    .flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) => describe(`${file}: ${title}`, results[0]?.error?.message)),
    )
  return { passed: stats.expected, failures }
}

/** A name with the beginning of its error, which says what was expected and what came. */
function describe(name, message = '') {
  return [name, ...stripVTControlCharacters(message).split('\n').slice(0, 12)].join('\n  ')
}

function run(command, args, { quiet = false, env = {} } = {}) {
  const bin = path.join(root, 'node_modules', '.bin')
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: {
        ...process.env,
        FORCE_COLOR: '0',
        ...env,
        PATH: `${bin}${path.delimiter}${env.PATH ?? process.env.PATH}`,
      },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
