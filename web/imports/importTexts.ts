import type { Import, ImportSong } from '../../contract/imports.ts'

/** Where the files come from, and what to ask for there. */
export const services = [
  {
    name: 'Spotify',
    text: 'Privacy settings, ‘Account data’. It takes up to 5 days and has what you liked.',
  },
  { name: 'YouTube Music', text: 'Google Takeout, ‘YouTube’. Choose JSON for the history.' },
  { name: 'Tidal, Deezer, Apple Music and others', text: 'TuneMyMusic or Soundiiz, as CSV.' },
  { name: 'ListenBrainz', text: 'Settings, ‘Export data’: loves and listens in one zip.' },
  { name: 'Last.fm', text: 'A history as CSV or JSON, from any of the export sites.' },
] as const

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** What has become of an import. */
export function formatStatus({ status, bangers, busts, heaps }: Import): string {
  switch (status) {
    case 'ready':
      return `Ready to look at: ${formatCount(heaps.known, 'song')} known here`
    case 'applied':
      return bangers > 0 ? `${formatCount(bangers, 'banger')} added` : `${formatCount(busts, 'bust')} added`
    default:
      return statusTexts[status]
  }
}

const statusTexts = {
  waiting: 'Waiting to be read',
  reading: 'Being read',
  applying: 'Being added',
  reverting: 'Being taken back',
  failed: 'Not read',
} as const

/** Why entries of a file were left out. */
export const formatReason = (reason: string): string => reasonTexts[reason] ?? reason

const reasonTexts: Record<string, string> = {
  short: 'Played for less than 30 seconds',
  private: 'Played in a private session',
  'no name': 'Without a title',
  'no artist': 'Without an artist',
  'not music': 'Not music',
  'local file': 'Files of your own computer',
  'bad date': 'With a date that cannot be',
  unreadable: 'Unreadable',
  'not played': 'Never played',
  'not loved': 'Without a love or a play',
}

/** 'Loved · 12 plays'. */
export function formatUse({ verdict, plays }: Pick<ImportSong, 'verdict' | 'plays'>): string {
  const said = verdict === 'banger' ? ['Loved'] : verdict === 'bust' ? ['Disliked'] : []
  return [...said, ...(plays > 0 ? [formatCount(plays, 'play')] : [])].join(' · ')
}
