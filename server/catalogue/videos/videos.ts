import { type Command, DRY_RUN_NOTICE, formatCount, wholePercent } from '../command.ts'
import { findVideos, MAX_SEARCHES, type VideoCounts } from './findVideos.ts'
import { countVideoState, listVideoCandidates } from './videoCandidates.ts'

/** `videos`. Succeeds when each song without a video was asked about, as far as the day's budget went. */
export const videos: Command<VideoCounts, void> = {
  async run({ db, services, signal, isDryRun, copyForDryRun }, onProgress) {
    await copyForDryRun('video_candidates')
    return findVideos(db, services, { isDryRun, signal, onProgress })
  },
  progress: (counts) => ({
    share: counts.all > 0 ? counts.done / counts.all : null,
    text: `${counts.done} of ${counts.all}, ${countFound(counts)} found`,
  }),
  async summary(counts, { db, isDryRun }, time) {
    const { all, done, found, searchEnd, wasInterrupted } = counts
    const { songs, withVideo, undecided, unidentified } = await countVideoState(db)
    return [
      `${wasInterrupted ? 'Stopped after asking' : 'Asked'} about ${formatCount(done)} of ${formatCount(all)} songs ` +
        `without a video in ${time.text}.`,
      `Found ${formatCount(countFound(counts))} videos: ${formatCount(found.musicbrainz)} by MusicBrainz, ` +
        `${formatCount(found.wikidata)} by Wikidata, ${formatCount(found.discogs)} by Discogs, ` +
        `${formatCount(found.youtube)} by YouTube's search.`,
      `${formatCount(withVideo)} of ${formatCount(songs)} songs have a video (${wholePercent(withVideo, songs)} %); ` +
        `${formatCount(undecided)} others have a candidate that stewards decide about at /desk.`,
      ...(searchEnd ? [SEARCH_ENDS[searchEnd]] : []),
      ...(unidentified > 0
        ? [
            `${formatCount(unidentified)} songs without a video have no recording_mbid, by which MusicBrainz, ` +
              'Wikidata and Discogs find videos. catalogue enrich finds it.',
          ]
        : []),
      ...(isDryRun ? [DRY_RUN_NOTICE] : []),
    ]
  },
  report: {
    of: 'judged videos',
    columns: [
      'key',
      'artist',
      'title',
      'video_id',
      'video_title',
      'channel',
      'source',
      'score',
      'result',
      'detail',
    ],
    rows: listVideoCandidates,
  },
}

const SEARCH_ENDS = {
  'no-key':
    'YOUTUBE_API_KEY is not set: YouTube was not searched, and it gave no lengths and no countries to compare.',
  budget: `The ${MAX_SEARCHES} searches of today are used up. They begin again at midnight Pacific time; run the same command then.`,
}

const countFound = ({ found }: VideoCounts) => Object.values(found).reduce((sum, count) => sum + count, 0)
