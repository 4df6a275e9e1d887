/** A date without time in the reader's own language and time zone (D-69). */
export function formatDate(moment: string, style: 'long' | 'medium' = 'medium'): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: style }).format(new Date(moment))
}
