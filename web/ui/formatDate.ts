const formats = new Map<string, Intl.DateTimeFormat>()

/** A date without time in the viewer's locale and time zone (people-17). */
export function formatDate(moment: string, style: 'long' | 'medium' = 'medium'): string {
  // Creating a formatter takes as long as formatting hundreds of dates.
  const format = formats.get(style) ?? new Intl.DateTimeFormat(undefined, { dateStyle: style })
  formats.set(style, format)
  return format.format(new Date(moment))
}

/** Seconds as players show them: `4:05`, `1:02:09`. */
export function formatTime(seconds: number): string {
  const wholeSeconds = Math.floor(seconds)
  const minutes = Math.floor(wholeSeconds / 60)
  const rest = String(wholeSeconds % 60).padStart(2, '0')
  if (minutes < 60) return `${minutes}:${rest}`
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`
}
