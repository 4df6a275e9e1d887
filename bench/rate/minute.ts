import { setTimeout as wait } from 'node:timers/promises'
import { checkAchievements } from '../../contract/achievements.ts'
import { getNextSong, type OfferedSong, rateAndAdvance } from '../../contract/discovery.ts'
import type { Endpoint, ResponseOf } from '../../contract/endpoint.ts'
import { reportPlayback, reportProgress, searchPreview } from '../../contract/playback.ts'
import { type Input, pathOf } from '../../tests/harness/visitor.ts'
import type { LoadListeners } from '../measure/listeners.ts'

/* A minute of pages whose listeners hear and rate three songs each. */

/** Seconds that each song is heard. */
const SONG_TIME = 20
/** Pages that have collected outcomes of videos for five minutes: one in so many. */
const REPORT_MINUTES = 5

type Send = (page: Page, second: number) => Promise<unknown>

/** What such a page sends, and at which seconds: see web/discovery/engine and web/playback/playbackReports.ts. */
const MINUTE: readonly (readonly [seconds: readonly number[], send: Send])[] = [
  // Five songs, the current one included. The page refills when one is left, which is after three ratings.
  [[0], refill],
  // Only a song whose video cannot play needs a preview: here the first of three.
  [[1], findPreview],
  [[5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60], sendProgress],
  [[20, 40, 60], rate],
  [[60], sendOutcomes],
]

interface Page {
  number: number
  microgenreId: string
  songs: Promise<readonly OfferedSong[]>
  /** Null when it was rejected or there was no response. */
  call<E extends Endpoint>(endpoint: E, input?: Input<E>): Promise<ResponseOf<E> | null>
}

async function refill(page: Page): Promise<void> {
  page.songs = page
    .call(getNextSong, { params: { id: page.microgenreId }, query: { prefetch: 'true' } })
    .then((answer) => (answer && 'prefetch' in answer ? answer.songs : []))
  await page.songs
}

async function findPreview(page: Page, second: number): Promise<void> {
  const { id: songId, artist, title } = await songAt(page, second)
  await page.call(searchPreview, { query: { artist, title, songId } })
}

async function sendProgress(page: Page, second: number): Promise<void> {
  const { id: songId, seconds } = await songAt(page, second)
  await page.call(reportProgress, { body: { songId, secondsListened: seconds, totalDuration: 200 } })
}

async function rate(page: Page, second: number): Promise<void> {
  const { id: songId, seconds } = await songAt(page, second)
  const answer = await page.call(rateAndAdvance, {
    body: {
      microgenreId: page.microgenreId,
      songId,
      rating: (page.number + second) % 3 === 0 ? 'bust' : 'banger',
      heard: { seconds, source: 'video' },
      zone: 'Europe/Berlin',
    },
  })
  if (answer?.unlocked) await page.call(checkAchievements)
}

async function sendOutcomes(page: Page): Promise<void> {
  if (page.number % REPORT_MINUTES > 0) return
  const reports = (await page.songs).map(({ id: songId, youtubeId }) => {
    return { songId, videoId: youtubeId ?? '', outcome: 'ready' as const, previewUsed: false }
  })
  await page.call(reportPlayback, { body: { reports } })
}

/** The song that is heard, and for how many seconds. */
async function songAt({ songs }: Page, second: number): Promise<OfferedSong & { seconds: number }> {
  const index = Math.max(0, Math.ceil(second / SONG_TIME) - 1)
  const song = (await songs)[index]
  if (!song) throw new Error('There were too few songs.')
  return { ...song, seconds: second - index * SONG_TIME }
}

/** Every listener's page has one minute, which takes `seconds`. They begin within the first song's time. */
export async function listenForMinute(
  url: string,
  { sessions, microgenreId }: LoadListeners,
  seconds: number,
): Promise<{ calls: number; refused: number }> {
  let calls = 0
  let refused = 0
  const toMilliseconds = (second: number) => (1000 * second * seconds) / 60
  async function listen(session: string, number: number): Promise<void> {
    const page: Page = {
      number,
      microgenreId: String(microgenreId),
      songs: Promise.resolve([]),
      async call(endpoint, input) {
        calls++
        const answer = await fetch(url + pathOf(endpoint, input), {
          method: endpoint.method,
          headers: {
            cookie: `session=${session}`,
            ...(endpoint.body && { 'content-type': 'application/json' }),
          },
          body: endpoint.body && JSON.stringify(input?.body),
        }).catch(() => null)
        const body = await answer?.json().catch(() => null)
        if (answer?.ok) return body
        refused++
        return null
      },
    }
    await wait(toMilliseconds((number / sessions.length) * SONG_TIME))
    const sendAt = async (second: number, send: Send) => {
      await wait(toMilliseconds(second))
      // The next call does not wait for the answer to this one.
      await send(page, second)
    }
    await Promise.all(MINUTE.flatMap(([times, send]) => times.map((second) => sendAt(second, send))))
  }
  await Promise.all(sessions.map(listen))
  return { calls, refused }
}
