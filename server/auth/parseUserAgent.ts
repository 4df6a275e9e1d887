import type { Session } from '../../contract/auth.ts'

type Device = Pick<Session, 'device' | 'kind'>

/**
 * Browser and operating system from the User-Agent header. Browsers also name others that they are compatible with,
 * so the most specific pattern comes first.
 */
export function parseUserAgent(userAgent: string | null): Device {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [, system, kind = 'other'] = SYSTEMS.find(([pattern]) => pattern.test(userAgent ?? '')) ?? []
  return { device: formatDevice(browser, system), kind }
}

function formatDevice(browser: string | undefined, system: string | undefined): string {
  if (browser && system) return `${browser} on ${system}`
  if (browser) return browser
  return system ? `A browser on ${system}` : 'Unknown browser'
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string, Device['kind']])[] = [
  [/\biPhone\b/, 'iPhone', 'mobile'],
  [/\biPad\b/, 'iPad', 'mobile'],
  [/\bAndroid\b/, 'Android', 'mobile'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
]
