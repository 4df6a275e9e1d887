import { expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import { Email } from './email.ts'

const label = 'x'.repeat(63)

test.each([
  ['ada@example.test'],
  ['a@b.c'],
  ['ada+music@example.test'],
  ["o'neil@example.test"],
  ['!#$%&*/=?^_`{|}~-@example.test'],
  ['first.middle.last@example.museum'],
  ['_ada_@example.test'],
  ['ada@xn--bcher-kva.example'],
  ['ada@example.xn--p1ai'],
  ['ada@3com.example'],
  [`${'x'.repeat(64)}@example.test`],
  [`ada@${label}.${label}.example`],
])('%s is valid', (address) => {
  expect(safeParse(Email, address).data).toBe(address)
})

test.each([
  [' Ada@Example.Test ', 'ada@example.test'],
  ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@موقع.وزارة-الاتصالات.مصر', 'ada@xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c'],
])('%s is %s', (typed, address) => {
  expect(safeParse(Email, typed).data).toBe(address)
})

test.each([
  ['nothing', ''],
  ['no @', 'ada.example.test'],
  ['two @', 'ada@b@example.test'],
  ['no domain', 'ada@'],
  ['no local part', '@example.test'],
  ['quotes', '"ada lovelace"@example.test'],
  ['a space', 'ada lovelace@example.test'],
  ['two dots', 'ada..b@example.test'],
  ['a dot at the beginning', '.ada@example.test'],
  ['a dot before the @', 'ada.@example.test'],
  ['a local part of 65 characters', `${'x'.repeat(65)}@example.test`],
  ['non-ASCII letters before the @', 'ädä@example.test'],
  ['a host name without a dot', 'ada@localhost'],
  ['an IP address', 'ada@127.0.0.1'],
  ['a short IP address', 'ada@127.1'],
  ['an IP address in full-width digits', 'ada@１２７.0.0.1'],
  ['an IP address in brackets', 'ada@[127.0.0.1]'],
  ['a hyphen at the end of a label', 'ada@example-.test'],
  ['a hyphen at the beginning of a label', 'ada@-example.test'],
  ['an underscore in the domain', 'ada@ex_ample.test'],
  ['a label of 64 characters', `ada@${label}x.test`],
  ['a percent sign in the domain', 'ada@ex%61mple.test'],
  ['a port', 'ada@bücher.example:25'],
  ['a path', 'ada@bücher.example/x'],
  ['a second header', 'ada@example.test\r\nBcc: everybody@example.test'],
  ['a list', 'ada@example.test,bob@example.test'],
  ['255 characters', `ada@${`${label}.`.repeat(3)}${'x'.repeat(54)}.test`],
  ['a domain that punycode makes too long', `ada@${'ü.'.repeat(120)}test`],
  ['half a character', 'ada@b\ud800.test'],
])('an address with %s is rejected', (_, typed) => {
  expect(safeParse(Email, typed).success).toBe(false)
})
