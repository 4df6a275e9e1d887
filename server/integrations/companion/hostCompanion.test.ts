import { expect, test } from 'vitest'
import { readEnv } from '../../env.ts'
import { requireProviderKeys } from './hostCompanion.ts'

test.each([
  [{}, /^No remote provider has keys.* COMPANION_BOX_KEY and COMPANION_BOX_SECRET\n/s],
  [{ COMPANION_GOOGLE_KEY: 'key' }, /^Not set: COMPANION_GOOGLE_SECRET\./],
  [{ COMPANION_BOX_SECRET: 'secret' }, /^Not set: COMPANION_BOX_KEY\./],
])('for the keys %j the error names what is missing', (source, words) => {
  expect(() => requireProviderKeys(readEnv(source))).toThrow(words)
})

test.each([{ COMPANION_BOX_KEY: 'key', COMPANION_BOX_SECRET: 'secret' }, { COMPANION_UNSPLASH_KEY: 'key' }])(
  'the keys %j suffice',
  (source) => {
    expect(() => requireProviderKeys(readEnv(source))).not.toThrow()
  },
)
