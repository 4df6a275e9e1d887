import { describe, expect, test } from 'vitest'
import { BadEnvironment, readEnv } from './env.ts'
import { isLoopbackHost } from './settings.ts'

const SECRET = 's'.repeat(32)
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://bangers.example', SESSION_SECRET: SECRET }

test('an empty environment works for development', () => {
  expect(readEnv({})).toMatchObject({
    NODE_ENV: 'development',
    production: false,
    PORT: 3000,
    HOST: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    loopbackOnly: true,
    DATA_DIR: './data',
    DEEZER_URL: 'https://api.deezer.com',
    YOUTUBE_PLAYER_URL: 'https://www.youtube.com',
    PREVIEW_HOSTS: ['https://*.dzcdn.net'],
  })
})

test('an empty value counts as absent', () => {
  expect(readEnv({ PORT: '', PUBLIC_URL: '', DATABASE_URL: '', SESSION_SECRET: '' })).toEqual(readEnv({}))
})

test('PUBLIC_URL follows the port, and loses its trailing slash', () => {
  expect(readEnv({ PORT: '4000' }).publicUrl).toBe('http://localhost:4000')
  expect(readEnv({ ...PRODUCTION, PUBLIC_URL: 'https://bangers.example/' }).publicUrl).toBe(
    'https://bangers.example',
  )
})

test.each([
  ['https://example.org/music', 'https://example.org/music', '/music'],
  ['https://example.org/music/', 'https://example.org/music', '/music'],
  ['https://example.org/~ada/Music_2.0', 'https://example.org/~ada/Music_2.0', '/~ada/Music_2.0'],
  ['https://example.org:8443//', 'https://example.org:8443', ''],
  ['https://xn--bngers-bua.example', 'https://xn--bngers-bua.example', ''],
  ['https://bängers.example/music/', 'https://xn--bngers-bua.example/music', '/music'],
  ['https://музыка.рф', 'https://xn--80anjg9azc.xn--p1ai', ''],
  ['HTTPS://Example.ORG:443/Music', 'https://example.org/Music', '/Music'],
  ['http://[2001:DB8:0::1]:3000', 'http://[2001:db8::1]:3000', ''],
])('PUBLIC_URL=%s is %s with the path %j', (PUBLIC_URL, publicUrl, basePath) => {
  expect(readEnv({ ...PRODUCTION, PUBLIC_URL })).toMatchObject({ publicUrl, basePath })
})

test.each([
  ['https://example.org/?x=1', 'must not contain ? or #'],
  ['https://example.org/music?', 'must not contain ? or #'],
  ['https://example.org/music#top', 'must not contain ? or #'],
  ['https://ada:hunter2@example.org/music', 'must not contain a user name or a password'],
  ['https://ada@example.org', 'must not contain a user name or a password'],
  ['https://example.org//music', 'may have a path of letters'],
  ['https://example.org/music//rooms', 'may have a path of letters'],
  ['https://example.org/a/../music', 'may have a path of letters'],
  ['https://example.org/.', 'may have a path of letters'],
  ['https://example.org/m%75sic', 'may have a path of letters'],
  ['https://example.org/müsic', 'may have a path of letters'],
  ['https://example.org/mu sic', 'may have a path of letters'],
  ['https://example.org\\music', 'may have a path of letters'],
  ['https://example.org/a;b', 'may have a path of letters'],
  ['https://example.org/"><script>', 'may have a path of letters'],
])('PUBLIC_URL=%s: it %s', (PUBLIC_URL, words) => {
  const message = refusal({ ...PRODUCTION, PUBLIC_URL })
  expect(message).toContain(`PUBLIC_URL: ${words}`)
  expect(message.split('\n')).toHaveLength(2)
  expect(message).not.toContain('hunter2')
})

describe('production', () => {
  test('starts with an address and a secret', () => {
    expect(readEnv(PRODUCTION)).toMatchObject({ production: true, loopbackOnly: false })
  })

  test.each([
    ['PUBLIC_URL', { ...PRODUCTION, PUBLIC_URL: '' }, 'SESSION_SECRET'],
    ['SESSION_SECRET', { ...PRODUCTION, SESSION_SECRET: '' }, 'PUBLIC_URL'],
  ])('without %s the error names that key and no other', (missing, source, given) => {
    const message = refusal(source)
    expect(message).toContain(`${missing} is missing`)
    expect(message).not.toContain(given)
  })

  test('without both the error names both', () => {
    const message = refusal({ NODE_ENV: 'production' })
    expect(message).toContain('PUBLIC_URL is missing')
    expect(message).toContain('SESSION_SECRET is missing')
  })

  test('may listen on all addresses', () => {
    expect(readEnv({ ...PRODUCTION, HOST: '0.0.0.0' }).HOST).toBe('0.0.0.0')
  })
})

describe('development shows sign-in links, so it', () => {
  test.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.5'],
    ['HOST', '127.0.0.1.evil.example'],
    ['HOST', 'localhost.evil.example'],
    ['PUBLIC_URL', 'https://bangers.example'],
    ['PUBLIC_URL', 'http://192.168.1.5:3000'],
  ])('rejects %s=%s and says what to do', (key, value) => {
    const message = refusal({ [key]: value })
    expect(message).toContain(key)
    expect(message).toContain('NODE_ENV=production')
    expect(refusal({ [key]: value, NODE_ENV: 'test' })).toContain('NODE_ENV=production')
  })

  test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1', 'bangers.localhost'])(
    'may listen on %s',
    (HOST) => {
      expect(readEnv({ HOST }).loopbackOnly).toBe(true)
    },
  )
})

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['NODE_ENV', 'prod'],
  ['PUBLIC_URL', 'bangers.example'],
  ['PUBLIC_URL', 'ftp://localhost'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_POOL', '1'],
  ['SESSION_SECRET', 'short'],
  ['TRUST_PROXY', 'maybe'],
  ['TRUST_PROXY', '10.0.0.1,proxy.example'],
  ['SMTP_URL', 'localhost:25'],
  ['CONTACT_EMAIL', 'nobody'],
  ['DEEZER_URL', 'file:///etc/passwd'],
  ['LOG_LEVEL', 'loud'],
  ['OIDC_ISSUER', 'id.example'],
  ['OIDC_ISSUER', 'http://id.example'],
  ['GOOGLE_ISSUER', 'http://id.example'],
  ['OIDC_ISSUER', 'https://id.example/.well-known/openid-configuration'],
  ['OIDC_ISSUER', 'https://id.example/?realm=music'],
  ['OIDC_NAME', 'x'.repeat(41)],
  ['OIDC_SCOPES', 'email profile'],
  ['OIDC_ALLOWED_GROUPS', ' , '],
  ['REGISTRATION', 'invited'],
  ['HEAR_ELSEWHERE', 'napster'],
  ['HEAR_ELSEWHERE', 'none,spotify'],
  ['HEAR_ELSEWHERE', '__proto__'],
])('%s=%s: the error names the key', (key, value) => {
  expect(refusal({ [key]: value })?.match(new RegExp(`${key}: `, 'g'))).toHaveLength(1)
})

test.each([
  ['a carriage return', { PORT: '4000\r', LOG_LEVEL: 'warn\r\n' }, { PORT: 4000, LOG_LEVEL: 'warn' }],
  ['spaces', { PUBLIC_URL: ' http://localhost:4000 ' }, { publicUrl: 'http://localhost:4000' }],
  ['a byte order mark', { '\ufeffPORT': '4000' }, { PORT: 4000 }],
  [
    'quotes',
    { DATA_DIR: '"/srv/my data"', DEEZER_URL: "'https://a.example'" },
    { DATA_DIR: '/srv/my data', DEEZER_URL: 'https://a.example' },
  ],
  ['quotes around nothing', { LOG_LEVEL: '""' }, { LOG_LEVEL: 'info' }],
  [
    'quotes that belong to it',
    { MAIL_FROM: '"Banger, or Bust" <a@b.example>' },
    { MAIL_FROM: '"Banger, or Bust" <a@b.example>' },
  ],
  ['brackets', { HOST: '[::1]' }, { HOST: '::1', loopbackOnly: true }],
  [
    'semicolons in a list',
    {
      DIAGNOSTIC_EMAILS: 'Ada@example.test; grace@example.test;',
      DNS_SERVERS: '9.9.9.9;[::1]:53',
      OIDC_ALLOWED_GROUPS: 'Music Fans;b',
      OIDC_ISSUER: 'https://a.example',
      OIDC_CLIENT_ID: 'x',
    },
    {
      DIAGNOSTIC_EMAILS: ['ada@example.test', 'grace@example.test'],
      DNS_SERVERS: ['9.9.9.9', '[::1]:53'],
      OIDC_ALLOWED_GROUPS: ['Music Fans', 'b'],
    },
  ],
  [
    'a service of Kubernetes',
    { COMPANION_PORT: 'tcp://10.43.0.9:3020', DATABASE_PORT: 'tcp://10.43.0.8:5432' },
    { COMPANION_PORT: 3020, misspelt: [] },
  ],
  [
    'compilers of conda',
    { HOST: 'x86_64-conda-linux-gnu', CONDA_TOOLCHAIN_HOST: 'x86_64-conda-linux-gnu' },
    { HOST: '127.0.0.1' },
  ],
  [
    'proxies in other forms',
    { TRUST_PROXY: '[2001:db8::1]; 10.0.0.0/8 loopback,' },
    { TRUST_PROXY: '[2001:db8::1]; 10.0.0.0/8 loopback,' },
  ],
  ['True', { TRUST_PROXY: 'True', CATALOGUE_GROW: 'True' }, { CATALOGUE_GROW: true }],
])('what tools write is understood: %s', (_, source: Record<string, string>, env) => {
  expect(readEnv(source)).toMatchObject(env)
})

const ESCAPED = /in user and password write %25 for %, %2F for \//

test.each([
  ['HOST', 'http://127.0.0.1', /or 0\.0\.0\.0 for all/],
  ['HOST', '127.0.0.1:3000', /or 0\.0\.0\.0 for all/],
  ['HOST', '*', /or 0\.0\.0\.0 for all/],
  ['PUBLIC_URL', 'http://::1:3000', /such as .*\[::1\]/],
  ['DATA_DIR', '~/data', /without ~ and \$/],
  ['BACKUP_DIR', '$HOME/backups', /without ~ and \$/],
  ['DATABASE_URL', 'postgres://ada:hunter2#@db.example/banger', ESCAPED],
  ['DATABASE_READ_URL', 'postgres://ada:hunter2/@db.example/banger', ESCAPED],
  ['DATABASE_DIRECT_URL', 'postgres://ada:100%hunter2@db.example/banger', ESCAPED],
  ['DATABASE_URL', 'postgres://ada:hunter2@::1:5432/banger', ESCAPED],
  ['DATABASE_URL', 'postgres://ada:hunter2@db.example/banger?sslmode=on', /sslmode must be one of/],
  ['SMTP_URL', 'smtp://ada:1#hunter2@mail.example', ESCAPED],
  ['SMTP_URL', 'smtp://ada:1/hunter2@mail.example', ESCAPED],
  ['SMTP_URL', 'smtp://ada:1%hunter2@mail.example', ESCAPED],
  ['DIAGNOSTIC_EMAILS', 'Ada <ada@example.test>', /without names/],
  ['PREVIEW_HOSTS', "https://a.example 'unsafe-inline'", /must be hosts/],
  ['AUDIO_HOSTS', 'https://*', /must be hosts/],
  ['AUDIO_HOSTS', 'http://nas.example', /must be hosts/],
])('%s=%s is refused with what to write', (key, value, words) => {
  const message = refusal({ [key]: value })
  expect(message).toMatch(new RegExp(`^  ${key}: .*${words.source}`, 'm'))
  expect(message).not.toContain('hunter2')
})

test('all invalid values are named at once', () => {
  const message = refusal({ PORT: 'x', SMTP_URL: 'x', LOG_LEVEL: 'x' })
  for (const key of ['PORT', 'SMTP_URL', 'LOG_LEVEL']) expect(message).toContain(key)
})

test('an error does not repeat secrets', () => {
  expect(refusal({ SESSION_SECRET: 'hunter2' })).not.toContain('hunter2')
  expect(refusal({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toContain('hunter2')
})

test('names of this machine', () => {
  expect(['localhost', 'LOCALHOST', '[::1]', '127.255.255.254'].map(isLoopbackHost)).toEqual(
    Array(4).fill(true),
  )
  expect(['', '0.0.0.0', '128.0.0.1', '1127.0.0.1', 'example.test'].map(isLoopbackHost)).toEqual(
    Array(5).fill(false),
  )
})

function refusal(source: Record<string, string>): string {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof BadEnvironment) return error.message
    throw error
  }
  throw new Error('The environment was taken.')
}

test.each([
  [{}, null],
  [{ S3_BUCKET: 'b' }, 'https://b.s3.us-east-1.amazonaws.com'],
  [{ S3_BUCKET: 'b', S3_REGION: 'eu-central-1' }, 'https://b.s3.eu-central-1.amazonaws.com'],
  [{ S3_BUCKET: 'b', S3_ENDPOINT: 'https://s3.example:9000/' }, 'https://b.s3.example:9000'],
  [
    { S3_BUCKET: 'b', S3_ENDPOINT: 'http://127.0.0.1:9000', S3_FORCE_PATH_STYLE: 'true' },
    'http://127.0.0.1:9000',
  ],
])('for the bucket %j browsers use the address %s', (source, origin) => {
  expect(readEnv(source).bucketOrigin).toBe(origin)
})

test('a remote provider is available when its key is set', () => {
  expect(readEnv({}).remoteProviders).toEqual({})
  expect(readEnv({ COMPANION_GOOGLE_KEY: 'k', COMPANION_GOOGLE_SECRET: 's' }).remoteProviders).toEqual({
    drive: { key: 'k', secret: 's' },
  })
})

test.each([
  [{}, null],
  [{ COMPANION_UNSPLASH_KEY: 'k' }, 'http://127.0.0.1:3020'],
  [{ COMPANION_UNSPLASH_KEY: 'k', COMPANION_PORT: '3021' }, 'http://127.0.0.1:3021'],
  [{ COMPANION_URL: 'http://companion:3020/' }, 'http://companion:3020'],
])('with %j Companion is at %s', (source, url) => {
  expect(readEnv(source).companionUrl).toBe(url)
})

test.each([
  [undefined, ['youtube', 'youtube-music', 'spotify', 'deezer', 'bandcamp', 'musicbrainz']],
  ['', ['youtube', 'youtube-music', 'spotify', 'deezer', 'bandcamp', 'musicbrainz']],
  ['bandcamp, youtube bandcamp', ['bandcamp', 'youtube']],
  ['none', []],
])('playback-60: HEAR_ELSEWHERE=%s offers %j', (HEAR_ELSEWHERE, services) => {
  expect(readEnv({ HEAR_ELSEWHERE }).HEAR_ELSEWHERE).toEqual(services)
})

test('playback-60: the error of HEAR_ELSEWHERE says what it may be', () => {
  expect(refusal({ HEAR_ELSEWHERE: 'youtube,Spotify' })).toContain(
    'HEAR_ELSEWHERE: must be none, or a list of youtube, youtube-music, spotify, deezer, bandcamp, musicbrainz',
  )
})

test('signin-14: the settings of an OpenID provider', () => {
  const OIDC = { OIDC_ISSUER: 'https://id.example/o/music/', OIDC_CLIENT_ID: 'bangers' }
  expect(readEnv(OIDC)).toMatchObject({
    // With its slash, which is part of the provider's name for itself.
    ...OIDC,
    OIDC_NAME: 'OpenID',
    OIDC_SCOPES: ['openid', 'email', 'profile'],
    OIDC_ALLOWED_GROUPS: [],
  })
  expect(
    readEnv({ ...OIDC, OIDC_SCOPES: 'groups openid', OIDC_ALLOWED_GROUPS: ' Music Fans, /stewards,' }),
  ).toMatchObject({ OIDC_SCOPES: ['groups', 'openid'], OIDC_ALLOWED_GROUPS: ['Music Fans', '/stewards'] })
})

test.each([
  [{ OIDC_ISSUER: 'https://id.example' }, ['OIDC_CLIENT_ID']],
  [{ OIDC_CLIENT_ID: 'bangers', OIDC_CLIENT_SECRET: 'hunter2' }, ['OIDC_ISSUER']],
  [{ OIDC_CLIENT_SECRET: 'hunter2' }, ['OIDC_ISSUER', 'OIDC_CLIENT_ID']],
  [{ OIDC_NAME: 'Music Club' }, ['OIDC_ISSUER', 'OIDC_CLIENT_ID']],
  [{ OIDC_ALLOWED_GROUPS: 'listeners' }, ['OIDC_ISSUER', 'OIDC_CLIENT_ID']],
])('signin-14: half an OpenID provider, %j, is an error that names what is missing', (source, missing) => {
  const message = refusal(source)
  expect(message.match(/OIDC_\w+(?= is missing: )/g)).toEqual(missing)
  expect(message).not.toContain('hunter2')
})

test('names that look misspelt are told with the right ones', () => {
  expect(
    readEnv({
      DIAGNOSTIC_EMAIL: 'ada@example.test',
      OIDC_CLIENTID: 'bangers',
      TRUSTPROXY: '1',
      BAKCUP_DIR: '/a',
    }).misspelt,
  ).toEqual([
    'DIAGNOSTIC_EMAIL is not read: did you mean DIAGNOSTIC_EMAILS?',
    'OIDC_CLIENTID is not read: did you mean OIDC_CLIENT_ID?',
    'TRUSTPROXY is not read: did you mean TRUST_PROXY?',
    'BAKCUP_DIR is not read: did you mean BACKUP_DIR?',
  ])
})

test.each([
  ['is right', { CONTACT_EMAIL: 'ada@example.test', NODE_ENV: 'test' }],
  [
    'is of another program',
    { HOME: '/root', PWD: '/', NODE_OPTIONS: '', GOOGLE_CLOUD_PROJECT: 'x', XDG_DATA_DIRS: '/' },
  ],
  ['is like one that is set', { S3_BUCKET: 'bangers', S3_BUCKETS: 'of another program' }],
])('a name that %s is not told', (_, source) => {
  expect(readEnv(source).misspelt).toEqual([])
})
