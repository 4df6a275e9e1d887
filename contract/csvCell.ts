/** One CSV cell (RFC 4180). An apostrophe keeps spreadsheets from running it as a formula (diagnostics-9). */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  const text = String(value)
  const safe = typeof value === 'string' ? text.replaceAll(FORMULA, "$1'") : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** How one begins. Where a comma is decimal, spreadsheets separate cells by semicolons. */
const FORMULA = /(^|;)(?=[=+\-@＝＋－＠\t\r])/g
