/*
 * npm test: installs what is missing, a browser included, and runs the checks and the tests that everybody runs.
 * npm run test:all (`--all`): every test in its long form, the browser tests below a path, the unit tests on another
 * Node, and benches in their shortest form. Both end with 'N passed, N failed'.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs, promisify, stripVTControlCharacters } from 'node:util'
import { findBrowser } from './findBrowser.mjs'
import { ensureInstalled } from './install.mjs'
import { checkNode } from './ready.mjs'
import { root, runNpm } from './steps.mjs'

/** What `--all` adds. */
const OTHER_NODE = '24'
const BENCHES = ['rate', 'growth', 'discovery', 'chaos', 'web', 'feel', 'interaction', 'library', 'spread']

checkNode()
const { values: options } = parseArgs({ options: { all: { type: 'boolean' } } })
if (options.all) process.env.TEST_ALL = '1'
const reports = await mkdtemp(path.join(os.tmpdir(), 'banger-or-bust-reports-'))
let passed = 0
/** What failed and why: repeated at the end, where one looks first after a long run. */
const failures = []

try {
  await ensureInstalled({ workspaces: true })
  if (options.all) await ensureInstalled({ inside: 'companion' })
  // Vitest waits for the database for much of its time, so the rest, one after the other, fits beside it.
  const [browser] = await Promise.all([
    buildAndCheck(),
    suite('Unit and API tests', 'vitest', ['run'], readVitest),
  ])
  if (browser) {
    const CHROMIUM_PATH = browser
    await suite('Browser tests', 'playwright', ['test'], readPlaywright, { CHROMIUM_PATH })
    if (options.all) await runLongChecks(CHROMIUM_PATH)
  }
} catch (error) {
  console.error(error.message)
  failures.push(error.message)
} finally {
  await rm(reports, { recursive: true, force: true })
}

for (const failure of failures) console.log(`Failed: ${failure}`)
console.log(`${passed} passed, ${failures.length} failed`)
process.exit(failures.length > 0 ? 1 : 0)

/** Returns the browser of the browser tests, if they can run. */
async function buildAndCheck() {
  // A process of its own, whose progress does not mix with the lines of Vitest.
  const built = await check('Build', 'node', ['scripts/build.mjs', '--if-changed'])
  const browser = await findBrowser().catch((error) => void failures.push(error.message))
  await check('Types of the server', 'tsc', ['--noEmit', '-p', 'server/tsconfig.json'])
  await check('Types of the web', 'tsc', ['--noEmit', '-p', 'web/tsconfig.json'])
  await check('Types of the tests', 'tsc', ['--noEmit', '-p', 'tests/tsconfig.json'])
  await check('Lint and format', 'biome', ['ci', '--error-on-warnings'])
  await check('Unused code', 'knip', [])
  await check('Architecture', 'node', ['tests/repository/checkArchitecture.mjs'])
  return built && browser
}

async function runLongChecks(CHROMIUM_PATH) {
  const node = await installNode(OTHER_NODE)
  const units = ['run', 'contract', 'server', 'web', 'catalogue']
  const PATH = `${node}${path.delimiter}${process.env.PATH}`
  await suite(`Unit tests on Node ${OTHER_NODE}`, 'vitest', units, readVitest, { PATH })
  // The long tests have run; here the path and the servers' Node are what is tested.
  await suite('Browser tests below a path', 'playwright', ['test'], readPlaywright, {
    CHROMIUM_PATH,
    TEST_ALL: '',
    TEST_SUB_PATH: '/music',
    SERVER_NODE: path.join(node, 'node'),
  })
  for (const bench of BENCHES) await check(`Bench ${bench}`, 'node', ['bench/run.mjs', bench, '--short'])
}

/** Runs a command that passes or fails as a whole, and shows its output only if it fails. */
async function check(title, command, args) {
  const started = Date.now()
  const { code, output } = await run(command, args, { quiet: true })
  console.log(`${title}: ${code === 0 ? 'done' : 'failed'} in ${secondsSince(started)} s`)
  if (code === 0) passed += 1
  else {
    failures.push(title)
    console.log(output)
  }
  return code === 0
}

/** Runs a test runner that reports its counts. If it fails without a report, that is one failure. */
async function suite(title, command, args, readReport, env = {}) {
  console.log(`${title} …`)
  const started = Date.now()
  const report = path.join(reports, `${title}.json`)
  const { code } = await run(command, args, { env: { ...env, TEST_REPORT: report } })
  console.log(`${title}: ended after ${secondsSince(started)} s`)
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
    if (tests.length === 0) return message ? [formatFailure(file, message)] : []
    return tests.map((test) => formatFailure(`${file}: ${test.fullName}`, test.failureMessages[0]))
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
        .map(({ results }) => formatFailure(`${file}: ${title}`, results[0]?.error?.message)),
    )
  return { passed: stats.expected, failures }
}

/** A name with the beginning of its error, which has the expected and the received value. */
function formatFailure(name, message = '') {
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

function secondsSince(started) {
  return ((Date.now() - started) / 1000).toFixed(0)
}

/**
 * Installs a version of Node from the npm package `node`, unless it is there. It is kept outside node_modules, because
 * npm ci would delete it.
 * @param {string} version such as `24`
 * @returns {Promise<string>} the folder of its `node`
 */
async function installNode(version) {
  const folder = path.join(root, 'node_modules', '.cache', `node-${version}`)
  const bin = path.join(folder, 'node_modules', 'node', 'bin')
  const node = path.join(bin, 'node')
  if (!existsSync(node)) {
    const quiet = ['--no-audit', '--no-fund', '--no-save']
    // The package's script brings the program.
    await runNpm(['install', '--ignore-scripts=false', '--prefix', folder, ...quiet, `node@${version}`])
  }
  const { stdout } = await promisify(execFile)(node, ['--version'])
  if (!stdout.startsWith(`v${version}.`)) throw new Error(`${node} is ${stdout.trim()}, not Node ${version}.`)
  return bin
}
