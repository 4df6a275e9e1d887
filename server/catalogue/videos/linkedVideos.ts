import type { Musicbrainz } from '../../integrations/musicbrainz.ts'
import type { Wikidata } from '../../integrations/wikidata.ts'
import type { Ask } from '../askServices.ts'
import { type NamedVideo, type SongWithoutVideo, toNamedVideos, videoIdOf } from './assignVideo.ts'

interface Run {
  services: { musicbrainz: Musicbrainz; wikidata: Wikidata }
  ask: Ask
}

/** Music videos to follow per recording, one call each. */
const MAX_MUSIC_VIDEOS = 2

/** The videos that MusicBrainz and Wikidata link with each song's recording. */
export async function findLinkedVideos(
  run: Run,
  songs: SongWithoutVideo[],
): Promise<Map<string, NamedVideo[]>> {
  const { services, ask } = run
  const linkedSongs: (SongWithoutVideo & SongLinks)[] = []
  for (const song of songs) {
    const links = await askLinks(run, song.recordingMbid)
    if (links) linkedSongs.push({ ...song, ...links })
  }
  const items = await ask('Wikidata', () =>
    services.wikidata.videos({
      recordings: linkedSongs.map(({ recordingMbid }) => recordingMbid),
      works: [...new Set(linkedSongs.flatMap(({ works }) => works))],
    }),
  )
  if (!items) return new Map()
  return new Map(
    linkedSongs.map(({ id, recordingMbid, videoIds, works }) => {
      const fromItems = [recordingMbid, ...works].flatMap((mbid) => items.videos.get(mbid) ?? [])
      return [
        id,
        [
          ...toNamedVideos('musicbrainz', videoIds),
          ...toNamedVideos('wikidata', fromItems.flatMap(videoIdOf)),
        ],
      ]
    }),
  )
}

interface SongLinks {
  videoIds: string[]
  works: string[]
}

/** The videos of a recording and of its music videos, and its works; undefined without an answer. */
async function askLinks({ services, ask }: Run, mbid: string): Promise<SongLinks | undefined> {
  const linksOf = async (recording: string) =>
    (await ask('MusicBrainz', () => services.musicbrainz.links(recording)))?.links
  const own = await linksOf(mbid)
  if (!own) return undefined
  const addresses = [...own.addresses]
  for (const musicVideo of own.musicVideos.slice(0, MAX_MUSIC_VIDEOS)) {
    const its = await linksOf(musicVideo)
    if (!its) return undefined
    addresses.push(...its.addresses)
  }
  return { videoIds: addresses.flatMap(videoIdOf), works: own.works }
}
