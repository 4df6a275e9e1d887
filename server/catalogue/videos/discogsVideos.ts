import { BadInput } from '../../inputErrors.ts'
import {
  type Discogs,
  type DiscogsPage,
  type DiscogsVideo,
  parseDiscogsAddress,
} from '../../integrations/discogs.ts'
import type { Musicbrainz, Release } from '../../integrations/musicbrainz.ts'
import type { Ask } from '../askServices.ts'
import { type NamedVideo, type SongWithoutVideo, videoIdOf } from './assignVideo.ts'
import { judgeVideo } from './judgeVideo.ts'

interface Run {
  services: { musicbrainz: Musicbrainz; discogs: Discogs }
  ask: Ask
}

/** Release groups of a recording whose links are looked up, one call each. */
const MAX_GROUPS = 2

/** Videos of a release that are checked for a song. A master may have thousands. */
const MAX_DISCOGS_VIDEOS = 5

/** The videos at Discogs of a release with each song's recording. */
export async function findDiscogsVideos(
  run: Run,
  songs: SongWithoutVideo[],
): Promise<Map<string, NamedVideo[]>> {
  const found = await run.ask('MusicBrainz', () =>
    run.services.musicbrainz.find(songs.map(({ recordingMbid }) => recordingMbid)),
  )
  const releases = new Map(found?.recordings.map(({ mbid, releases }) => [mbid, releases]))
  const named = new Map<string, NamedVideo[]>()
  for (const song of found ? songs : []) {
    const page = await findDiscogsPage(run, releases.get(song.recordingMbid) ?? [])
    const videos = page && (await askDiscogs(run, page))
    if (page === null || videos) named.set(song.id, pickVideos(song, videos ?? []))
  }
  return named
}

/** The master of a recording's first release groups, else its first release; null without, undefined without an answer. */
async function findDiscogsPage(
  { services, ask }: Run,
  releases: Release[],
): Promise<DiscogsPage | null | undefined> {
  const rank = ({ isOfficial, isVarious, secondaryTypes }: Release) =>
    Number(!isOfficial) + 2 * Number(secondaryTypes.length > 0) + 4 * Number(isVarious)
  const sorted = [...releases].sort(
    (a, b) => rank(a) - rank(b) || (a.date ?? '9999').localeCompare(b.date ?? '9999'),
  )
  const groups = [...new Set(sorted.flatMap(({ groupMbid }) => groupMbid ?? []))].slice(0, MAX_GROUPS)
  const entities = [
    ...groups.map((mbid) => ['release-group', mbid] as const),
    ...sorted.slice(0, 1).map(({ mbid }) => ['release', mbid] as const),
  ]
  for (const [of, mbid] of entities) {
    const answer = await ask('MusicBrainz', () => services.musicbrainz.links(mbid, of))
    if (!answer) return undefined
    const [page] = answer.links.addresses.flatMap((address) => parseDiscogsAddress(address) ?? [])
    if (page) return page
  }
  return null
}

async function askDiscogs({ services, ask }: Run, page: DiscogsPage): Promise<DiscogsVideo[] | undefined> {
  const answer = await ask('Discogs', () => services.discogs.videos(page))
  if (answer === 'bad-token') throw new BadInput('Discogs rejects DISCOGS_TOKEN.')
  return answer?.videos
}

/** The best of a release's videos that may be the song's, whatever their channel; first those that qualify. */
function pickVideos(song: SongWithoutVideo, videos: DiscogsVideo[]): NamedVideo[] {
  return videos
    .flatMap(({ address, title, durationMs, embeddable }) => {
      const facts = { title, durationMs, embeddable, exists: true, isRegional: false, problem: null }
      const { refusal, score } = judgeVideo(song, 'discogs', { ...facts, channel: song.artist })
      if (refusal === 'other song' || refusal === 'other version' || refusal === 'unplayable') return []
      return videoIdOf(address).map((videoId) => ({
        videoId,
        durationMs,
        score,
        isDoubtful: refusal !== null,
      }))
    })
    .sort((a, b) => Number(a.isDoubtful) - Number(b.isDoubtful) || b.score - a.score)
    .slice(0, MAX_DISCOGS_VIDEOS)
    .map(({ videoId, durationMs }) => ({ videoId, durationMs, source: 'discogs' }))
}
