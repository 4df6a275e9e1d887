import { expect, test } from 'vitest'
import { networkOf, widerNetworksOf } from './networkOf.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  [' "203.0.113.7:51234"', '203.0.113.7'],
  ['[2001:db8:1:2::6]:51234', '2001:db8:1:2::/64'],
  ['"[2001:db8:1:2::6]"', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.7]:80', '203.0.113.7'],
  ['[fe80::1%eth0]:80', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['whatever a header says', 'whatever a header says'],
  ['x'.repeat(5000), 'x'.repeat(45)],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['2001:db8:1:2::6', ['2001:db8:1:0::/56', '2001:db8:1::/48']],
  ['2001:db8:1:abcd::6', ['2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/56', 'fe80:0:0::/48']],
  ['203.0.113.7', []],
  ['::ffff:203.0.113.7', []],
  ['whatever a header says', []],
])('the network of %s is in %s', (address, wider) => {
  expect(widerNetworksOf(networkOf(address)).map(({ network }) => network)).toEqual(wider)
})
