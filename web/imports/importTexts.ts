import { formatCount } from '../../contract/formatCount.ts'
import type { Import, ImportSong } from '../../contract/imports.ts'

/** Where the files come from, and what to ask for there. */
export const services = [
  {
    name: 'Spotify',
    text: 'Under ‘Account privacy’, request ‘Account data’. It comes within 5 days and has the songs that you liked.',
  },
  {
    name: 'YouTube Music',
    text: 'In Google Takeout, choose ‘YouTube and YouTube Music’, with the history as JSON.',
  },
  { name: 'Tidal, Deezer, Apple Music and others', text: 'Save a CSV file with TuneMyMusic or Soundiiz.' },
  {
    name: 'ListenBrainz',
    text: 'In its settings, choose ‘Export data’: one zip file has your loves and listens.',
  },
  { name: 'Last.fm', text: 'Save your history as CSV or JSON with any site that exports it.' },
] as const

/** What has become of an import. */
export function formatStatus({ status, bangers, busts, plays, heaps, header }: Import): string {
  switch (status) {
    case 'ready':
      return `Ready to check: ${formatCount(heaps.known, 'song is', 'songs are')} known here`
    case 'applied':
      if (bangers > 0) return `${formatCount(bangers, 'banger')} added`
      if (busts > 0) return `${formatCount(busts, 'bust')} added`
      return plays > 0 ? 'Plays added' : 'Collections added'
    case 'failed':
      return header ? 'Its columns need a choice' : 'It could not be read'
    default:
      return statusTexts[status]
  }
}

const statusTexts = {
  waiting: 'Waiting for other imports',
  reading: 'Being read',
  applying: 'Being added',
  reverting: 'Being taken back',
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
  'bad date': 'With an impossible date',
  unreadable: 'Unreadable',
  'not played': 'Never played',
  'not loved': 'Neither loved nor played',
  mix: 'Mixes, which do not come along',
  file: 'Files: web pages, zips in the zip, unknown tables',
}

/** 'Loved · 12 plays'. */
export function formatUse({ verdict, plays }: Pick<ImportSong, 'verdict' | 'plays'>): string {
  const said = verdict === 'banger' ? ['Loved'] : verdict === 'bust' ? ['Disliked'] : []
  return [...said, ...(plays > 0 ? [formatCount(plays, 'play')] : [])].join(' · ')
}
