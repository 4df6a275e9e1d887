/** One cell as RFC 4180 wants it; what a spreadsheet would run as a formula begins with an apostrophe (D-23). */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  const text = String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
