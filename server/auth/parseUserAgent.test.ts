import { expect, test } from 'vitest'
import { parseUserAgent } from './parseUserAgent.ts'

const chromium = (system: string, browser: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser} Safari/537.36`
const WINDOWS = 'Windows NT 10.0; Win64; x64'
const MAC = 'Macintosh; Intel Mac OS X 10_15_7'
const IPHONE = 'iPhone; CPU iPhone OS 18_5 like Mac OS X'
const SAMSUNG = 'SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux', 'computer'],
  [chromium(WINDOWS, 'Chrome/142.0.0.0'), 'Chrome on Windows', 'computer'],
  [`${chromium(WINDOWS, 'Chrome/142.0.0.0')} Edg/142.0.0.0`, 'Edge on Windows', 'computer'],
  [chromium(MAC, 'Version/18.5'), 'Safari on macOS', 'computer'],
  [chromium(IPHONE, 'Version/18.5 Mobile/15E148'), 'Safari on iPhone', 'mobile'],
  [chromium(IPHONE, 'CriOS/142.0.0.0 Mobile/15E148'), 'Chrome on iPhone', 'mobile'],
  [chromium('Linux; Android 10; K', SAMSUNG), 'Samsung Internet on Android', 'mobile'],
  [chromium('X11; Linux x86_64', 'HeadlessChrome/142.0.0.0'), 'Chrome on Linux', 'computer'],
  ['curl/8.14.1', 'Unknown browser', 'other'],
  ['Something new (Linux)', 'A browser on Linux', 'computer'],
  ['', 'Unknown browser', 'other'],
  [null, 'Unknown browser', 'other'],
])('%s is %s', (userAgent, device, kind) => {
  expect(parseUserAgent(userAgent)).toEqual({ device, kind })
})
