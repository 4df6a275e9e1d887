const formats = new Map<string, Intl.DateTimeFormat>()

/** A date without time in the reader's own language and time zone (D-69). */
export function formatDate(moment: string, style: 'long' | 'medium' = 'medium'): string {
  // Making a format takes as long as hundreds of dates.
  const format = formats.get(style) ?? new Intl.DateTimeFormat(undefined, { dateStyle: style })
  formats.set(style, format)
  return format.format(new Date(moment))
}
