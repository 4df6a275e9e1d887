import type { Database } from '../../db/connection.ts'
import { BadInput } from '../../inputErrors.ts'
import { BAD_TOKEN, type TaggedRecording } from '../../integrations/listenbrainz.ts'
import { MAX_IDS_PER_QUERY, type Recording } from '../../integrations/musicbrainz.ts'
import { createProviderCache } from '../../integrations/providerCache.ts'
import { ASK_AGAIN_SECONDS } from '../askServices.ts'
import { normalizeName } from '../spelling.ts'
import {
  type GrowthSources,
  proposeMicrogenres,
  readMicrogenreNames,
  storeUnclaimed,
} from './foundMicrogenres.ts'
import { judgeRecording } from './judgeRecording.ts'
import {
  addCandidates,
  type CandidateDescription,
  readUndescribed,
  refuseKnownRecordings,
  storeDescriptions,
} from './songCandidates.ts'

export interface MicrogenreRef {
  id: string
  name: string
}

/** Per microgenre: pages of 100 recordings at MusicBrainz, and recordings of ListenBrainz's radio. */
const MAX_PAGES = 3
const MAX_RADIO_RECORDINGS = 500

/**
 * Asks the sources for recordings tagged with the microgenre's name, and MusicBrainz for their details
 * (catalogue-11). Each answer is stored at once, with a note that it was asked for, so that a killed run continues.
 * Returns whether every question was answered.
 * @throws BadInput when a service does not answer, or ListenBrainz rejects the token.
 */
export async function collectCandidates(
  db: Database,
  sources: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  const answered = [await collectTagged(db, sources, genre), await collectFromRadio(db, sources, genre)]
  await refuseKnownRecordings(db, genre.id)
  const isLookedUp = await lookUpRecordings(db, sources, genre)
  await proposeMicrogenres(db, sources)
  return isLookedUp && !answered.includes(false)
}

/** MusicBrainz writes tags in lower case. */
const tagOf = ({ name }: MicrogenreRef) => name.toLowerCase()

/** A renamed microgenre is asked about again. */
const cacheKeyOf = (genre: MicrogenreRef) => `${genre.id} ${tagOf(genre)}`

async function collectTagged(
  db: Database,
  { musicbrainz, ask }: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  const tag = tagOf(genre)
  const key = cacheKeyOf(genre)
  const read = await createProviderCache<PageProgress>(db, 'grow-musicbrainz').read([key])
  const ownNames = await readMicrogenreNames(db)
  let progress: PageProgress = read.get(key) ?? { done: 0, all: MAX_PAGES }
  while (progress.done < Math.min(progress.all, MAX_PAGES)) {
    const { done } = progress
    const page = await ask('MusicBrainz', () => musicbrainz.findByTag(tag, done))
    // The next run asks again.
    if (!page) return false
    const now = { done: done + 1, all: page.pages }
    // The search also finds longer tags.
    const tagged = page.recordings.filter((recording) => isTagged(recording, genre))
    await db.begin(async (tx) => {
      await storeUnclaimed(tx, genre.id, ownNames, page.recordings)
      await addCandidates(tx, genre.id, tagged.map(toTaggedRecording))
      await storeDescriptions(tx, genre.id, tagged.map(toCandidateDescription))
      await createProviderCache<PageProgress>(tx, 'grow-musicbrainz').write(
        new Map([[key, now]]),
        ASK_AGAIN_SECONDS,
      )
    })
    progress = now
  }
  return true
}

/** Pages read so far, and pages of MusicBrainz's answer. */
interface PageProgress {
  done: number
  all: number
}

async function collectFromRadio(
  db: Database,
  { listenbrainz, ask }: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  if (!listenbrainz) return true
  const key = cacheKeyOf(genre)
  const cached = await createProviderCache(db, 'grow-listenbrainz').read([key])
  if (cached.size > 0) return true
  const radio = await ask('ListenBrainz', () => listenbrainz.radio(tagOf(genre), MAX_RADIO_RECORDINGS))
  if (radio === 'bad-token') throw new BadInput(BAD_TOKEN)
  if (!radio) return false
  await db.begin(async (tx) => {
    await addCandidates(tx, genre.id, radio.recordings)
    await createProviderCache(tx, 'grow-listenbrainz').write(new Map([[key, {}]]), ASK_AGAIN_SECONDS)
  })
  return true
}

/** Asks MusicBrainz about recordings that are known only by id. */
async function lookUpRecordings(
  db: Database,
  { musicbrainz, ask }: GrowthSources,
  genre: MicrogenreRef,
): Promise<boolean> {
  const ownNames = await readMicrogenreNames(db)
  let isAnswered = true
  let after = ''
  for (;;) {
    const mbids = await readUndescribed(db, genre.id, after, MAX_IDS_PER_QUERY)
    const last = mbids.at(-1)
    if (last === undefined) return isAnswered
    after = last
    const answer = await ask('MusicBrainz', () => musicbrainz.find(mbids))
    if (answer) {
      const { recordings } = answer
      const tagged = recordings.filter((recording) => isTagged(recording, genre))
      await storeUnclaimed(db, genre.id, ownNames, recordings)
      await addCandidates(db, genre.id, tagged.map(toTaggedRecording))
      const found = new Map(recordings.map((recording) => [recording.mbid, recording]))
      const describedBy = (mbid: string): CandidateDescription => {
        const recording = found.get(mbid)
        return recording ? toCandidateDescription(recording) : { mbid, song: null, refusal: 'unknown' }
      }
      await storeDescriptions(db, genre.id, mbids.map(describedBy))
    } else isAnswered = false
  }
}

const isTagged = ({ tags }: Recording, genre: MicrogenreRef) =>
  tags.some((tag) => normalizeName(tag) === normalizeName(tagOf(genre)))

const toTaggedRecording = ({ mbid }: Recording): TaggedRecording => ({ mbid, tagged: 'recording' })

const toCandidateDescription = (recording: Recording): CandidateDescription => ({
  mbid: recording.mbid,
  ...judgeRecording(recording),
})
