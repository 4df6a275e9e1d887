/**
 * Isolates a name in plain text, where a right-to-left name would reorder the numbers and marks beside it. In HTML,
 * `<bdi>` and `dir="auto"` do the same.
 */
export const isolateName = (name: string): string =>
  RIGHT_TO_LEFT_SCRIPTS.test(name) ? `\u2068${name}\u2069` : name

/** Song and artist in plain text. */
export const songName = ({ title, artist }: { title: string; artist: string }): string =>
  `${isolateName(title)} by ${isolateName(artist)}`

/** The blocks that Unicode reserves for scripts from right to left. */
const RIGHT_TO_LEFT_SCRIPTS =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
