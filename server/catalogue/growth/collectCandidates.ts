import { BadInput } from '../../badInput.ts'
import type { Database } from '../../db/connection.ts'
import { BAD_TOKEN, type TaggedRecording } from '../../integrations/listenbrainz.ts'
import { MAX_IDS_PER_QUERY, type Recording } from '../../integrations/musicbrainz.ts'
import { createProviderCache } from '../../integrations/providerCache.ts'
import { spell } from '../identity/spelling.ts'
import { ASK_AGAIN_SECONDS } from '../services.ts'
import { findMicrogenres, type GrowthSources, keepUnclaimed, readOwnNames } from './foundMicrogenres.ts'
import { judgeRecording } from './judgeRecording.ts'
import {
  type CandidateDescription,
  describeCandidates,
  nameCandidates,
  readUnknown,
  refuseKnownRecordings,
} from './songCandidates.ts'

export interface MicrogenreRef {
  id: string
  name: string
}

/** Pages of 100 recordings at MusicBrainz, and recordings of ListenBrainz's radio, per microgenre. */
const MAX_PAGES = 3
const MAX_RADIO_RECORDINGS = 500

/**
 * Asks the sources for recordings with the microgenre's name as their tag, and MusicBrainz what they are (catalogue-11).
 * Each answer is written when it comes, with the note that it was asked for, so that a run that was killed continues.
 * Returns whether every question was answered.
 * @throws BadInput when a service does not answer, or ListenBrainz rejects the token.
 */
export async function collectCandidates(
  db: Database,
  asking: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  const named = [await askForTag(db, asking, genre), await askForRadio(db, asking, genre)]
  await refuseKnownRecordings(db, genre.id)
  const isLookedUp = await lookUp(db, asking, genre)
  await findMicrogenres(db, asking)
  return isLookedUp && !named.includes(false)
}

/** MusicBrainz writes tags in lower case. */
const tagOf = ({ name }: MicrogenreRef) => name.toLowerCase()

/** A microgenre with another name is asked about again. */
const keyOf = (genre: MicrogenreRef) => `${genre.id} ${tagOf(genre)}`

async function askForTag(
  db: Database,
  { musicbrainz, ask }: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  const tag = tagOf(genre)
  const key = keyOf(genre)
  const read = await createProviderCache<PageProgress>(db, 'grow-musicbrainz').read([key])
  const own = await readOwnNames(db)
  let known: PageProgress = read.get(key) ?? { done: 0, all: MAX_PAGES }
  while (known.done < Math.min(known.all, MAX_PAGES)) {
    const { done } = known
    const page = await ask('MusicBrainz', () => musicbrainz.findByTag(tag, done))
    // The next run asks again.
    if (!page) return false
    const now = { done: done + 1, all: page.pages }
    // The search also finds longer tags that contain this one.
    const tagged = page.recordings.filter((recording) => isTagged(recording, genre))
    await db.begin(async (tx) => {
      await keepUnclaimed(tx, genre.id, own, page.recordings)
      await nameCandidates(tx, genre.id, tagged.map(nameAsTagged))
      await describeCandidates(tx, genre.id, tagged.map(describe))
      await createProviderCache<PageProgress>(tx, 'grow-musicbrainz').write(
        new Map([[key, now]]),
        ASK_AGAIN_SECONDS,
      )
    })
    known = now
  }
  return true
}

/** Pages of MusicBrainz's answer, and those that were asked for. */
interface PageProgress {
  done: number
  all: number
}

async function askForRadio(
  db: Database,
  { listenbrainz, ask }: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  if (!listenbrainz) return true
  const key = keyOf(genre)
  const asked = await createProviderCache(db, 'grow-listenbrainz').read([key])
  if (asked.size > 0) return true
  const radio = await ask('ListenBrainz', () => listenbrainz.radio(tagOf(genre), MAX_RADIO_RECORDINGS))
  if (radio === 'bad-token') throw new BadInput(BAD_TOKEN)
  if (!radio) return false
  await db.begin(async (tx) => {
    await nameCandidates(tx, genre.id, radio.recordings)
    await createProviderCache(tx, 'grow-listenbrainz').write(new Map([[key, {}]]), ASK_AGAIN_SECONDS)
  })
  return true
}

/** Asks MusicBrainz about the recordings of which only the id is known. */
async function lookUp(
  db: Database,
  { musicbrainz, ask }: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  const own = await readOwnNames(db)
  let isAnswered = true
  let after = ''
  for (;;) {
    const mbids = await readUnknown(db, genre.id, after, MAX_IDS_PER_QUERY)
    const last = mbids.at(-1)
    if (last === undefined) return isAnswered
    after = last
    const answer = await ask('MusicBrainz', () => musicbrainz.find(mbids))
    if (answer) {
      const { recordings } = answer
      const tagged = recordings.filter((recording) => isTagged(recording, genre))
      await keepUnclaimed(db, genre.id, own, recordings)
      await nameCandidates(db, genre.id, tagged.map(nameAsTagged))
      const found = new Map(recordings.map((recording) => [recording.mbid, recording]))
      const describedBy = (mbid: string): CandidateDescription => {
        const recording = found.get(mbid)
        return recording ? describe(recording) : { mbid, song: null, refusal: 'unknown' }
      }
      await describeCandidates(db, genre.id, mbids.map(describedBy))
    } else isAnswered = false
  }
}

const isTagged = ({ tags }: Recording, genre: MicrogenreRef) =>
  tags.some((tag) => spell(tag) === spell(tagOf(genre)))

const nameAsTagged = ({ mbid }: Recording): TaggedRecording => ({ mbid, tagged: 'recording' })

const describe = (recording: Recording): CandidateDescription => ({
  mbid: recording.mbid,
  ...judgeRecording(recording),
})
