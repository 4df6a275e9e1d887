import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { setUpFolder } from '../../tests/harness/setUpService.ts'
import { zip } from '../../tests/harness/zip.ts'
import { BadInput } from '../inputErrors.ts'
import { PLAYLIST_WRITERS } from '../profiles/playlistFiles.ts'
import { newContext, readImport } from './readImport.ts'

const folder = setUpFolder()
const TRACK = '0aAaAaAaAaAaAaAaAaAaAa'
const VIDEO = 'AAAAAAAAAAA'
const MBID = '11111111-1111-4111-8111-111111111111'
const ISRC = 'GBAAP8300001'
const MAY = '2025-05-01T20:15:31Z'
const SECONDS = 1746130531

const spotifyPlay = (more: object) => ({
  ...{ ts: MAY, ms_played: 200_000, platform: 'android', conn_country: 'DE', ip_addr: '203.0.113.7' },
  ...{ master_metadata_track_name: 'First', master_metadata_album_artist_name: 'Björk' },
  ...{ spotify_track_uri: `spotify:track:${TRACK}`, skipped: false, incognito_mode: false },
  ...more,
})
const TOPIC = `"titleUrl":"https://music.youtube.com/watch?v=${VIDEO}","subtitles":[{"name":"Björk - Topic"}],"time":"${MAY}"`
const RATING = `"title":"First","artist":"Björk","microgenre":"Trip Hop","ratedAt":"${MAY}","youtubeId":"${VIDEO}"`
const koitoName = (alias: string) =>
  `"aliases":[{"alias":"Other","is_primary":false},{"alias":"${alias}","is_primary":true}]`
const plist = (...tracks: string[]) => `<?xml version="1.0"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>Tracks</key><dict>${tracks.map((more) => `<key>1</key><dict>${more}</dict>`).join('')}
</dict><key>Playlists</key><array><dict><key>Name</key><string>Library</string></dict></array></dict></plist>`
const APPLE =
  '<key>Track ID</key><integer>1</integer><key>Name</key><string>First &amp; last</string><key>Artist</key><string>Björk</string><key>Location</key><string>file:///Users/ana/x.m4a</string>'
const xspf = (tracks: string) =>
  `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>${tracks}</trackList></playlist>`

/**
 * Where a file is from, and its rows: verdict or plays, title, artist, ids and day; or why one is left out. Below it the
 * file, perhaps in another encoding.
 */
type Case = string | [text: string, encoding: BufferEncoding]

const LOVES: Case[] = [
  `Spotify, library; Spotify, hidden songs: banger First - Björk ${TRACK}; bust 1989 - Ana
{"tracks":[{"artist":"Björk","album":1989,"track":"First","uri":"spotify:track:${TRACK}"}],"albums":[{"artist":"Björk","album":"A"}],"bannedTracks":[{"artist":"Ana","track":1989,"uri":"spotify:track:x"}]}`,
  `Spotify, playlists: banger First - Björk ${TRACK} 2025-02-28; banger Tape - Ana B; (local file); (not music)
{"playlists":[{"name":"Rainy","items":[{"track":{"trackName":"First","artistName":"Björk","trackUri":"spotify:track:${TRACK}"},"localTrack":null,"addedDate":"2025-02-28"},{"track":null,"localTrack":{"uri":"spotify:local:Ana+B:Demos:Tape:180"}},{"track":null,"localTrack":{"uri":"spotify:local::::180"}},{"track":null,"episode":{"name":"Talk"},"localTrack":null}]}]}`,
  `YouTube Music, library: banger First - Björk ${VIDEO}; banger Duet - Björk, Ana ${VIDEO}
Video ID,Song Title,Album Title,Artist Name 1,Artist Name 2\n${VIDEO},First,A,Björk,\n${VIDEO},Duet,A,Björk,Ana\n`,
  `YouTube Music, library: banger First - Björk ${VIDEO}
Video Id,Song-Title,Album-Title,Artist-Name-1\n${VIDEO},First,A,Björk\n`,
  `YouTube Music, library: banger First - Björk ${VIDEO}; banger Duet - Björk, Ana ${VIDEO}
動画 ID,曲名,アルバム名,アーティスト名 1,アーティスト名 2\n${VIDEO},First,A,Björk,\n${VIDEO},Duet,A,Björk,Ana\n`,
  `YouTube Music, library: banger Tape - Ana
Song Title,Album Title,Artist Name 1,Duration\nTape,Demos,Ana,180\n`,
  ...['Video ID,Playlist Video Creation Timestamp', 'Video-ID,Zeitstempel', 'Идентификатор,Время'].map(
    (header) => `YouTube, playlists: banger  -  ${VIDEO} 2025-05-01
${header}\n${VIDEO},2025-05-01T20:15:31+00:00\n`,
  ),
  `YouTube, playlists: banger  -  ${VIDEO} 2025-05-01
Playlist ID,Channel ID,Time Created,Title\nPL1,UC1,2020-01-01 10:00:00 UTC,Rainy\n\nVideo ID,Time Added\n${VIDEO},2025-05-01 20:15:31 UTC\n`,
  `TuneMyMusic: banger First - Björk ${ISRC} ${TRACK}
\uFEFFTrack name,Artist name,Album,Playlist name,Type,ISRC,Spotify - id\n"First","Björk","A","F","Favorite","${ISRC}","${TRACK}"\n`,
  [
    `Table: banger First - Björk ${ISRC}
\uFEFFtitle;artist;album;isrc\r\nFirst;Björk;A;${ISRC}\r\n`,
    'utf16le',
  ],
  `Exportify: banger First - Björk, Ana ${TRACK} 2025-05-01
Track URI,Track Name,Album Name,Artist Name(s),Duration (ms),Added At\nspotify:track:${TRACK},First,A,Björk;Ana,2,${MAY}\n`,
  `ListenBrainz, loves: banger  -  ${MBID} 2025-05-01; (no name); bust First - Björk 2025-05-01
{"score":1,"created":${SECONDS},"recording_mbid":"${MBID}","recording_msid":null}\n{"score":-1,"created":${SECONDS},"recording_mbid":null,"recording_msid":"${MBID}"}\n{"score":-1,"created":${SECONDS},"recording_mbid":null,"track_metadata":{"track_name":"First","artist_name":"Björk"}}`,
  `ListenBrainz, loves: banger  -  ${MBID} 2025-05-01
{"count":1,"feedback":[{"created":${SECONDS},"user_id":"ana","recording_mbid":"${MBID}","score":1}]}`,
  `Music.app, library: banger First & last - Björk; 3× First & last - Björk 2025-05-01; bust First & last - Björk; (not music); (not played)
${plist(
  `${APPLE}<key>Loved</key><true/><key>Play Count</key><integer>7</integer>`,
  `${APPLE}<key>Play Count</key><integer>3</integer><key>Play Date UTC</key><date>${MAY}</date>`,
  ...['<key>Disliked</key><true/>', '<key>Podcast</key><true/>', ''].map((more) => APPLE + more),
)}`,
  `Apple Music, likes: banger First - live - Björk 2025-05-01; bust Second - Ana 2025-05-01
Item Description,Preference,Created\nBjörk - First - live,LIKE,${MAY}\nAna - Second,DISLIKE,${MAY}\n`,
  `Playlist (XSPF): banger First - Björk ${MBID} ${VIDEO}
${xspf(`<track><location>https://youtu.be/${VIDEO}</location><location>file:///x.mp3</location><identifier>https://musicbrainz.org/recording/${MBID}</identifier><title>First</title><creator>Björk</creator></track>`)}`,
  `Playlist (JSPF): banger First - Björk ${MBID}; banger First - Björk ${TRACK}; banger  -  ${MBID}; (no name)
{"playlist":{"track":[{"title":"First","creator":"Björk","identifier":["https://musicbrainz.org/recording/${MBID}"]},{"title":"First","creator":"Björk","identifier":"https://open.spotify.com/track/${TRACK}"},{"identifier":["https://musicbrainz.org/recording/${MBID}"]},{"location":["file:///x.mp3"]}]}}`,
  [
    `Playlist (M3U): banger First - Björk ${VIDEO}; banger Second - Ana; (local file)
#EXTM3U\r\n#PLAYLIST:T\r\n#EXTINF:214,Björk - First\r\nhttps://youtu.be/${VIDEO}\r\n..\\Music\\01. Ana - Second.mp3\r\nC:\\x.mp3\r\n`,
    'latin1',
  ],
  `List of songs: banger First - Björk; banger Second - Ana; banger  -  ${TRACK}
Björk - First\nAna – Second\nhttps://open.spotify.com/track/${TRACK}\n`,
  `Banger or Bust, data: banger First - Björk ${VIDEO} 2025-05-01 Trip Hop; bust First - Björk ${VIDEO} 2025-05-01 Trip Hop; {"name":"Rainy","description":null,"isPublic":true,"microgenres":["Trip Hop"]}; (mix)
{\n"exportedAt": "${MAY}",\n"profile": {"email":"ana@example.org"},\n"ratings": [\n{${RATING},"rating":"banger","pass":1},\n{${RATING},"rating":"bust"}],\n"progress": [{"title":"No","artist":"Rating","secondsListened":3}],\n"collections": [{"name":"Rainy","description":null,"isPublic":true,"viewCount":3,"createdAt":"${MAY}","items":[{"microgenre":"Trip Hop","addedAt":"${MAY}"}],"link":null}],\n"mixes": [{"name":"Rain","songs":[{"title":"First","artist":"Björk"}],"link":null}],\n"sessions": [{"device":"Phone"}]\n}`,
  `Banger or Bust, data: bust First - Björk ${VIDEO} 2025-05-01 Trip Hop
[\n{${RATING},"rating":"bust"}\n]\n`,
  `Banger or Bust, ratings: bust =First - Björk ${VIDEO} 2025-05-01 Trip Hop
\uFEFFtitle,artist,microgenre,year,rating,ratedAt,youtubeId,spotifyId,durationSeconds\r\n'=First,Björk,Trip Hop,1993,bust,${MAY},${VIDEO},,200\r\n`,
  `Songs (JSON): banger First - Björk, Ana; (unreadable)
[{"song":"First","artists":["Björk","Ana"],"genre":"Pop"},3]`,
  `Table: banger First - Björk; (not loved); bust Third - Ana
Song,Band,Loved\nFirst,Björk,1\nSecond,Ana,no\nThird,Ana,-1\n`,
]

const PLAYS: Case[] = [
  `Spotify, extended history: 1× First - Björk ${TRACK} 2025-05-01; (short); (short); (private); (not music); (bad date); (bad date)
${JSON.stringify([
  ...[spotifyPlay({}), spotifyPlay({ ms_played: 4016 }), spotifyPlay({ skipped: true })],
  ...[spotifyPlay({ incognito_mode: true }), spotifyPlay({ master_metadata_track_name: null })],
  ...[spotifyPlay({ ts: '1949-05-01T00:00:00Z' }), spotifyPlay({ ts: '2999-05-01T00:00:00Z' })],
])}`,
  `Spotify, history: 1× First - Björk 2025-05-01; (not music)
[{"endTime":"2025-05-01 20:15","artistName":"Björk","trackName":"First","msPlayed":200000},{"endTime":"2025-05-01 20:15","podcastName":"P","episodeName":"E","msPlayed":200000}]`,
  `ListenBrainz, listens: 1× First - Björk ${MBID} ${TRACK} 2025-05-01; (short)
{"listened_at":${SECONDS}.5,"track_metadata":{"track_name":"First","artist_name":"Björk","additional_info":{"origin_url":"https://open.spotify.com/track/${TRACK}"},"mbid_mapping":{"recording_mbid":"${MBID}"}}}\n{"listened_at":${SECONDS},"track_metadata":{"track_name":"First","artist_name":"Björk","additional_info":{"duration_played":9},"mbid_mapping":null}}`,
  `ListenBrainz, listens: 1× First - Björk 2025-05-01
{"payload":{"count":1,"listens":[{"listened_at":${SECONDS},"track_metadata":{"track_name":"First","artist_name":"Björk"}}]}}`,
  `Last.fm: 1× First - Björk ${MBID} 2025-05-01; 1× First - Björk; (bad date)
uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid\n"${SECONDS}","01 May 2025, 20:15","Björk","","A","","First","${MBID}"\n"0","01 Jan 1970, 00:00","Björk","","A","","First",""\n"12","01 Jan 1970, 00:00","Björk","","A","","First",""\n`,
  `Last.fm: 1× First - Björk 2025-05-01; (bad date)
[{"track":[{"name":"First","artist":{"#text":"Björk"},"mbid":"","album":{"#text":"A"},"date":{"uts":"${SECONDS}"}},{"name":"Now","artist":{"#text":"Ana"},"album":{},"@attr":{"nowplaying":"true"}}]}]`,
  `Last.fm: 1× First - Björk 2025-05-01; 1× Second - Ana, B 2025-05-02
Björk,A,First,01 May 2025 20:15\n"Ana, B",A,Second,02 May 2025 08:00\n`,
  `YouTube, history: ${`1× First - Björk ${VIDEO} 2025-05-01; `.repeat(4)}1×  -  ${VIDEO} 2025-05-01; (no name); (not music)
[${['Watched First', 'First angesehen', 'Vous avez regardé First', 'First を視聴しました']
    .map((title) => `{"header":"YouTube Music","title":"${title}",${TOPIC}}`)
    .join()},
{"header":"YouTube","title":"Watched Björk - First (Official)",${TOPIC.replace(' - Topic', ' TV')}},
{"header":"YouTube","title":"Watched a video that has been removed","time":"${MAY}"},
{"header":"YouTube","title":"Watched Buy",${TOPIC},"details":[{"name":"From Google Ads"}]}]`,
  `Apple Music, daily tracks: 2× First - Björk 2025-05-01; (not played); (short)
Country,Track Description,Date Played,Play Duration Milliseconds,Play Count,Skip Count\nDE,Björk - First,20250501,200000,2,0\nDE,Björk - First,20250501,900000,0,1\nDE,Björk - First,20250501,9000,1,0\n`,
  `Apple Music, track history: 1× First - Björk 2025-05-01
Track Name,Last Played Date,Is User Initiated\nBjörk - First,${SECONDS}000,true\n`,
  `Apple Music, play activity: (no artist)
Client IP Address,Event Type,Play Duration Milliseconds,Song Name\n203.0.113.7,PLAY_END,200000,First\n`,
  `Koito: 1× First - Björk, Ana ${MBID} 2025-05-01
{"version":"1","user":"ana","listens":[{"listened_at":"${MAY}","client":"x","track":{"mbid":"${MBID}",${koitoName('First')}},"album":{${koitoName('A')}},"artists":[{${koitoName('Björk')}},{${koitoName('Ana')}}]}]}`,
  `Maloja: 1× First - Björk, Ana 2025-05-01; (short)
{"maloja":{"export_time":1},"scrobbles":[{"time":${SECONDS},"track":{"artists":["Björk","Ana"],"title":"First","album":null},"duration":null},{"time":${SECONDS},"track":{"artists":["Björk"],"title":"First"},"duration":9}]}`,
  `Rockbox: 1× First - Björk ${MBID} 2025-05-01; (short)
#AUDIOSCROBBLER/1.1\n#TZ/UTC\n#CLIENT/Rockbox\nBjörk\tA\tFirst\t1\t200\tL\t${SECONDS}\t${MBID}\nBjörk\tA\tFirst\t1\t200\tS\t${SECONDS}\t\n`,
  [
    'Table: 3× First - Björk\n\uFEFFName\tArtist\tAlbum\tPlays\tLast Played\rFirst\tBjörk\tA\t3\t01/05/2025, 20:15\r',
    'utf16le',
  ],
]

const DATES = [
  ...[
    '45778.84 > 2025-05-01',
    '1.74613E+12 > 2025-05-01',
    '25/12/2024 > 2024-12-25',
    '2025-05-01T20:15 > 2025-05-01',
  ],
  ...['12/25/2024 20:15 > 2024-12-25', '31.12.2024 > 2024-12-31', '03/04/2024 >', 'soon >'],
].map((text) => text.split(' >'))
const OURS = '"title":"First","artist":"Björk","ratedAt":"2025-05-01"'
const MESSES: Case[] = [
  `Table: ${DATES.map(([, day]) => `banger First - Björk${day}; `).join('')}(bad date); (bad date); (unreadable)
title,artist,isrc,spotify,Added At\n${DATES.map(([date]) => `First,Björk,1.23E+11,#NAME?,${date}\n`).join('')}First,Björk,,,31/02/2024\nFirst,Björk,,,2024-02-31 10:00\nFirst\n,,,,\n`,
  `Table: banger First - Björk; (not played)
title,artist,loved,plays\nFirst,Björk,yes,-3000000000\nFirst,Björk,no,-1\n`,
  `Banger or Bust, data: banger First - Björk 2025-05-01; (not loved)
[{${OURS},"rating":"banger"},{${OURS},"rating":"1"}]`,
  ['Table: banger First - Björk; banger Café - Beyoncé\ntitle;artist\nFirst;Björk\nCafé;Beyoncé\n', 'latin1'],
  `Table: banger =cmd|' /C calc'!A0 - <script>; banger ab - Ana; (unreadable)
title,artist\n"=cmd|' /C calc'!A0",<script>\n"a\u202Eb",Ana\n${'x'.repeat(201)},Ana`,
  `Playlist (XSPF): banger A&<b> - Ana; (no name)
${xspf('<track><title>A&#x26;&lt;b&gt;</title><creator>Ana</creator></track><track><location>x.mp3</location></track>')}`,
  `Table: banger First - Björk; banger Second - Ana
title,artist\nFirst,Björk\ntitle,artist\nSecond,Ana\n`,
]

const CASES = [...LOVES, ...PLAYS, ...MESSES].map((one): [string, Buffer] => {
  const [text, encoding] = typeof one === 'string' ? [one, 'utf8' as const] : one
  const end = text.indexOf('\n')
  return [text.slice(0, end), Buffer.from(text.slice(end + 1), encoding)]
})
const DEEZER: [string, Buffer] = [
  `Deezer: 1× First - Björk, Ana ${ISRC} 2025-05-01; (short)`,
  workbook(
    ['Song Title', 'Artist', 'ISRC', 'Album Title', 'IP Address', 'Listening Time (s)', 'Date'],
    ['First', 'Björk, Ana', ISRC, 'A', '203.0.113.7', 200, '2025-05-01 20:15:31'],
    ['First', 'Ana', ISRC, 'A', '', 9, 45778.5],
  ),
]
const MIXED: [string, Buffer] = [
  'Table: banger First - Björk; (unreadable)',
  Buffer.concat([Buffer.from('title,artist\nFirst,Björk\nSecond,'), Buffer.from('Björk\n', 'latin1')]),
]

test.each([...CASES, DEEZER, MIXED])('imports-1 %s', async (expected, content) => {
  expect(await read(content)).toBe(expected)
  expect(await read(gzipSync(content))).toBe(expected)
  expect(await read(zip({ 'My DATA/export.dat': content, '__MACOSX/._export.dat': 'x' }))).toBe(expected)
})

const SONG = {
  ...{ title: '=A & <B> - "C", d', artist: 'Björk', microgenre: 'Trip Hop', year: 1993, isrc: ISRC },
  ...{ recordingMbid: MBID, youtubeId: VIDEO, spotifyId: TRACK, deezerTrackId: '1', durationMs: 200_000 },
}
test.each([
  ['csv', `${SONG.title} - Björk ${ISRC} ${MBID} ${TRACK} ${VIDEO} Trip Hop`],
  ['text', `${SONG.title} - Björk`],
  ['jspf', `${SONG.title} - Björk ${MBID} ${VIDEO}`],
  ['xspf', `${SONG.title} - Björk ${MBID} ${VIDEO}`],
  ['m3u8', `${SONG.title} - Björk ${VIDEO}`],
  ['youtube', ` -  ${VIDEO}`],
] as const)('imports-1 our own %s comes back as the same songs', async (form, row) => {
  async function* songs() {
    yield* [SONG, SONG]
  }
  let file = ''
  for await (const part of PLAYLIST_WRITERS[form](songs(), 'Mine')) file += part

  expect((await read(file)).replace(/^.*?: /, '')).toBe(`banger ${row}; banger ${row}`)
})

test('imports-2 an archive: each file by its content, others are skipped', async () => {
  const archive = zip({
    'Account/YourLibrary.json': '{"tracks":[{"artist":"Björk","track":"First","uri":"spotify:track:x"}]}',
    'Account/Userdata.json': '{"email":"ana@example.org","country":"DE"}',
    'Account/SearchQueries.json': '[{"platform":"x","searchQuery":"First"}]',
    'comments.csv': `Comment ID,Channel ID,Video ID,Comment Text\nUgx1,UC1,${VIDEO},hi\n`,
    'pinned_recording.jsonl': `{"created":${SECONDS},"pinned_until":${SECONDS},"recording_mbid":"${MBID}"}`,
    'photo.jpg': 'x',
    'other.zip': zip({ 'a.csv': 'title,artist\nA,B\n' }),
    'cut.json': '[{"title":"Cut","artist":"Ana"},{"title":',
    'playlist.csv': 'title,artist\nSecond,Ana\n',
    'watch-history.html': '<html></html>',
    '.scrobbler.log': `#AUDIOSCROBBLER/1.1\nAna\tA\tThird\t1\t200\tL\t${SECONDS}\t\n`,
    [`${'long'.repeat(999)}.csv`]: 'title,artist\nLong,Name\n',
  })

  expect(await read(archive)).toBe(
    'Spotify, library; Songs (JSON); Table; Rockbox: banger First - Björk; (file); (file); banger Cut - Ana; (unreadable); banger Second - Ana; (file); 1× Third - Ana 2025-05-01',
  )
})

const TABLE = 'title,artist\nA,B\n'
const FOREIGN: [name: string, content: string | Buffer, message: string][] = [
  ['nothing', '', 'The file is empty.'],
  ['an empty archive', zip({}), 'no file of songs'],
  ['other JSON', '[{"a":1}]', 'no songs in a form that is known here'],
  ['other JSON in an archive', zip({ 'a.json': '{"a":1}' }), 'no file of songs'],
  ['a web page', '<!DOCTYPE html><html></html>', 'Please choose JSON'],
  ['a web page in an archive', zip({ 'watch-history.html': '<html></html>' }), 'Please choose JSON'],
  ['an archive in an archive', zip({ 'a.zip': zip({ 'a.csv': TABLE }) }), 'Please unpack it'],
  ['a path that climbs', zip({ '../a.csv': TABLE }), 'damaged or unsafe'],
  ['an absolute path', zip({ '/etc/a.csv': TABLE }), 'damaged or unsafe'],
  ['a password', zip({ 'a.csv': TABLE }, { flags: 1 }), 'protected by a password'],
  ['a bomb', zip({ 'a.csv': 'x' }, { size: 2 ** 30 }), 'unpacks to too much'],
  ['a bomb of gzip', gzipSync(Buffer.alloc(34 << 20, `A - ${'a'.repeat(60_000)}\n`)), 'unpacks to too much'],
  ['a size that lies', zip({ 'a.csv': TABLE.repeat(99) }, { size: 20 }), 'damaged or unsafe'],
  ['too many files', zip({ 'a.csv': TABLE }, { count: 20_001 }), '20,000 files'],
  ['a cut archive', zip({ 'a.csv': TABLE }).subarray(0, 60), 'The archive cannot be read'],
  ['a cut gzip', gzipSync('A - B\n').subarray(0, 20), 'The archive cannot be read'],
  ['a picture', Buffer.from('\x89PNG\r\n\x1A\n\0\0\0\rIHDR', 'latin1'), 'Of archives, zip is read.'],
  ['Cyrillic letters', Buffer.from('title,artist\nÏðèâåò,B', 'latin1'), 'save it as UTF-8'],
  ['Polish letters', Buffer.from('title,artist\nMi³o,B', 'latin1'), 'save it as UTF-8'],
  ['JSON that nests', '['.repeat(3 << 20), 'from item 1 on'],
  ['JSON that never ends', `[{"title":"${'a'.repeat(3 << 20)}`, 'from item 1 on'],
  ['a quote that never ends', `title,artist\n"${'a,'.repeat(99_999)}`, 'from line 2 on'],
  ['entities', '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>', 'declares entities'],
  ['a file as entity', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///x">]><x>&a;</x>', 'declares entities'],
  ['an unknown entity', xspf('<track><title>&secret;</title></track>'), 'XML cannot be read'],
  ['XML that never ends', `<x>${'a'.repeat(3 << 20)}`, 'does not end'],
  ['cut XML', xspf('').slice(0, -20), 'XML cannot be read'],
]

test.each(FOREIGN)('imports-3 %s is refused in a sentence', async (_, content, message) => {
  const error = await read(content).catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(BadInput)
  expect(error).toHaveProperty('message', expect.stringContaining(message))
})

test('imports-3 a table of unknown columns asks for them', async () => {
  const table = 'Werk;Wer;Notiz\nFirst;Björk;x'
  const header = ['Werk', 'Wer', 'Notiz']

  await expect(read(table)).rejects.toMatchObject({ header })
  await expect(read(zip({ 'a.csv': table, 'b.json': '{"a":1}' }))).rejects.toMatchObject({ header })
  expect(await read(table, 'title=Werk,artist=Wer')).toBe('Table: banger First - Björk')
})

test.each([
  ['a letter', 'Dear Ada, it was late, and nobody knew.\nI write to you again'],
  ['rows without names', '2025-05-01;ada@example.com\n2025-05-02;bob@example.com'],
  ['one column', 'Searches\nhow to hide'],
])('imports-16 of %s no line is a header', async (_, text) => {
  await expect(read(text)).rejects.not.toHaveProperty('header')
})

test('imports-4 a long file is streamed, and its progress grows', async () => {
  const context = newContext()
  const seen: number[] = []
  for await (const _ of readImport(write(JSON.stringify(Array(5000).fill(spotifyPlay({})))), context))
    if (seen.push(context.progress.bytes) === 2000) break

  expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? 0)
  expect(seen.at(-1)).toBeLessThan(context.progress.size)
})

async function read(content: string | Buffer, columns?: string): Promise<string> {
  const context = newContext(columns)
  const rows: string[] = []
  for await (const item of readImport(write(content), context)) {
    if ('leftOut' in item) rows.push(`(${item.leftOut})`)
    else if ('collection' in item) rows.push(JSON.stringify(item.collection))
    else {
      const { title, artist, verdict, at, plays, microgenre, ...ids } = item
      const values = [...Object.values(ids), at?.toISOString().slice(0, 10), microgenre]
      rows.push([verdict ?? `${plays}×`, `${title} - ${artist}`, ...values].filter(Boolean).join(' '))
    }
  }
  return `${[...context.sources].join('; ')}: ${rows.join('; ')}`
}

function write(content: string | Buffer): string {
  const file = join(folder, 'renamed')
  writeFileSync(file, content)
  return file
}

/** A workbook with one sheet, whose texts are shared, in two runs each. */
function workbook(...rows: (string | number)[][]): Buffer {
  const texts = rows.flat().map(String)
  const cell = (value: string | number, place: string) =>
    typeof value === 'number'
      ? `<c r="${place}"><v>${value}</v></c>`
      : value && `<c r="${place}" t="s"><v>${texts.indexOf(value)}</v></c>`
  const lines = rows.map((row, line) =>
    row.map((value, n) => cell(value, `${'ABCDEFG'[n]}${line + 1}`)).join(''),
  )
  const runs = texts.map((text) => `<si><r><t>${text.slice(0, 1)}</t></r><r><t>${text.slice(1)}</t></r></si>`)
  return zip({
    'xl/workbook.xml': '<workbook/>',
    'xl/worksheets/sheet1.xml': `<worksheet>${lines.map((line) => `<row>${line}</row>`).join('')}</worksheet>`,
    'xl/sharedStrings.xml': `<sst>${runs.join('')}</sst>`,
  })
}
