const formats = new Map<string, Intl.DateTimeFormat>()

/** A date without time in the viewer's locale and time zone (people-17). */
export function formatDate(moment: string, style: 'long' | 'medium' = 'medium'): string {
  // Creating a formatter takes as long as formatting hundreds of dates.
  const format = formats.get(style) ?? new Intl.DateTimeFormat(undefined, { dateStyle: style })
  formats.set(style, format)
  return format.format(new Date(moment))
}
