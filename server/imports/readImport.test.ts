import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { setUpFolder } from '../../tests/harness/setUpService.ts'
import { type ImportOptions, readImport } from './readImport.ts'

const folder = setUpFolder()
const TRACK = '0aAaAaAaAaAaAaAaAaAaAa'
const MBID = '11111111-1111-4111-8111-111111111111'
const json = JSON.stringify
const lines = (...rows: object[]) => rows.map((row) => json(row)).join('\n')

/* What comes in, and what is left out: a file's rows as 'verdict title - artist ids day', shortly. */
const FILES: [name: string, content: string | Buffer, source: string, rows: string[]][] = [
  [
    'the library',
    json({
      tracks: [{ artist: 'Björk', album: 1989, track: 'First', uri: `spotify:track:${TRACK}` }],
      albums: [{ artist: 'Björk', album: 'No song', uri: 'spotify:album:x' }],
      bannedTracks: [{ artist: 'Ana', track: 'Second', uri: 'spotify:track:x' }],
    }),
    'Spotify, library; Spotify, hidden songs',
    [`banger First - Björk ${TRACK}`, 'bust Second - Ana'],
  ],
  [
    'playlists',
    json({
      playlists: [
        {
          name: 'Rainy',
          items: [
            {
              track: { trackName: 'First', artistName: 'Björk', trackUri: `spotify:track:${TRACK}` },
              localTrack: null,
              addedDate: '2025-02-28',
            },
            {
              track: null,
              localTrack: { uri: 'spotify:local:Ana+B:Demos:Tape:180' },
              addedDate: '2025-02-28',
            },
            { track: null, localTrack: { uri: 'spotify:local::::180' } },
            { track: null, episode: { name: 'Talk' }, localTrack: null },
          ],
        },
      ],
    }),
    'Spotify, playlists',
    [
      `banger First - Björk ${TRACK} 2025-02-28`,
      'banger Tape - Ana B 2025-02-28',
      '(local file)',
      '(not music)',
    ],
  ],
  [
    'loves of ListenBrainz',
    lines(
      { score: 1, created: 1764200000, recording_mbid: MBID, recording_msid: null },
      { score: -1, created: 1764200000, recording_mbid: null, recording_msid: MBID },
    ),
    'ListenBrainz, loves',
    [`banger  -  ${MBID} 2025-11-26`, '(no name)'],
  ],
  [
    'TuneMyMusic',
    `\uFEFFTrack name,Artist name,Album,Playlist name,Type,ISRC,Spotify - id\n"First","Björk","A","Favorites","Favorite","GBAAP8300001","${TRACK}"\n`,
    'TuneMyMusic',
    [`banger First - Björk GBAAP8300001 ${TRACK}`],
  ],
]

test.each(FILES)('%s', async (_, content, source, rows) => {
  expect(await read(content)).toEqual({ source, rows })
  expect(await read(gzipSync(content))).toEqual({ source, rows })
})

async function read(content: string | Buffer, options?: ImportOptions) {
  const file = join(folder, 'renamed')
  writeFileSync(file, content)
  const reading = await readImport(file, options)
  const rows: string[] = []
  for await (const item of reading) {
    if ('leftOut' in item) rows.push(`(${item.leftOut})`)
    else if ('collection' in item) rows.push(json(item.collection))
    else {
      const { title, artist, isrc, recordingMbid, spotifyId, youtubeId, verdict, at, plays, microgenre } =
        item
      const ids = [isrc, recordingMbid, spotifyId, youtubeId, at?.toISOString().slice(0, 10), microgenre]
      rows.push([verdict ?? `${plays}×`, `${title} - ${artist}`, ...ids].filter(Boolean).join(' '))
    }
  }
  return { source: reading.sources().join('; '), rows }
}
