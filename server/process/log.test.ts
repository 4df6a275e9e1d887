import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('a logged error has its kind, code and place, without addresses, tokens and rows', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const token = 'aB3-_'.repeat(9).slice(0, 43)
  const error = Object.assign(new Error(`no room for ada@example.test at ${token}`), {
    code: '23514',
    constraint: 'users_bio_length',
    detail: 'Failing row contains (7, bob@example.test).',
    parameters: ['carol@example.test'],
    cause: new Error('because of dan@example.test'),
  })
  log.error({ err: error }, 'request failed')
  const [line = ''] = lines

  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    msg: 'request failed',
    err: {
      type: 'Error',
      message: 'no room for [e-mail] at [token]',
      stack: expect.stringMatching(/^Error: no room for \[e-mail\] at \[token\]\n +at .*log\.test\.ts/),
      code: '23514',
      constraint: 'users_bio_length',
      cause: { message: 'because of [e-mail]' },
    },
  })
  for (const secret of ['@example', token, 'Failing row']) expect(line).not.toContain(secret)
})

test('a thrown value that is not an error is logged as text', () => {
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).error({ err: 'ada@example.test' }, 'odd')

  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: '[e-mail]' })
})
