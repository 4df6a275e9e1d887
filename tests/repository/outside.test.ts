import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../server/packagePath.ts'

/*
 * SSRF: only integrations call outside services, at addresses that the operator configures (diagnostics-21). The only
 * others are those of pictures at sign-in providers; pictures.test.ts checks what is done about them (uploads-13). Hosts
 * of covers may redirect to a few known ones (playback-64).
 * anyRequest.test.ts checks that the server never requests an address from a listener.
 */

const SERVER = packagePath('server')
const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
const text = (path: string) => readFileSync(join(SERVER, path), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')
const those = (pattern: RegExp) => sources.filter((path) => pattern.test(text(path)))

test('the checks find files', () => {
  expect(sources).toContain('app.ts')
  expect(those(/\bfetch\(/).length).toBeGreaterThan(0)
})

test('only integrations call outside services, and redirects are followed only to covers', () => {
  const calls = those(/\bfetch\(|\bhttps?\.(get|request)\(|from 'undici'|import https from|\bnew WebSocket\(/)

  expect(calls.filter((path) => !path.startsWith('integrations/'))).toEqual([])
  for (const path of calls) {
    expect([path, text(path).match(/\bfetch\(/g)?.length]).toEqual([
      path,
      text(path).match(/redirect: '(error|manual)'/g)?.length,
    ])
  }
  // It asks whether it may: covers.test.ts checks the hosts.
  expect(those(/redirect: 'manual'/)).toEqual(['integrations/service.ts'])
  expect(those(/\bfollow: \(/)).toEqual(['integrations/covers.ts'])
})

test('only the database uses raw sockets', () => {
  const connecting = those(/import \{[^}]*\bconnect\b[^}]*\} from 'node:(net|tls)'/)

  expect(connecting.filter((path) => !path.startsWith('db/'))).toEqual([])
})
