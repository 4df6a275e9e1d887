import { MAX_RELATIVES } from '../../catalogue/catalogue.ts'
import type { MicrogenreDetails } from '../../contract/desk.ts'
import type { Queryable, Transaction } from '../db/connection.ts'
import { deriveColor, microgenreKey } from './microgenreNames.ts'
import { type ChangeRefusal, lockCatalogue, restoreSong } from './oneSong.ts'
import { normalizeName } from './spelling.ts'

/* A steward adds a microgenre (desk-27), and can undo that until somebody has rated one of its songs; an operator, always (desk-28). */

/** Adds a microgenre with the tags of `nearId`, related to it and its relatives. Takes the catalogue's lock. */
export async function addMicrogenre(
  tx: Transaction,
  details: MicrogenreDetails,
  nearId: string,
): Promise<{ microgenreId: string } | ChangeRefusal> {
  await lockCatalogue(tx)
  const refusal = await findRefusal(tx, details, null)
  if (refusal) return refusal
  const { name, family, description } = details
  const rows = await tx<{ key: string; color: string }[]>`select key, color from microgenres`
  const [added] = await tx<{ id: string }[]>`
    insert into microgenres (key, name, family, description, color, energy, vocals, familiarity, mood, relatives)
    select ${freeKey(name, new Set(rows.map(({ key }) => key)))}, ${name}, ${family}, ${description},
      ${deriveColor(name, new Set(rows.map(({ color }) => color)))}, energy, vocals, familiarity, mood,
      (array_prepend(key, relatives))[:${MAX_RELATIVES}]
    from microgenres where id = ${nearId}
    returning id`
  return added ? { microgenreId: added.id } : { refusal: 'The nearest microgenre does not exist.' }
}

/** A taken key may belong to a renamed microgenre. */
function freeKey(name: string, taken: ReadonlySet<string>): string {
  const key = microgenreKey(name).slice(0, MAX_KEY_LENGTH).replace(/-$/, '')
  for (let n = 1; ; n++) {
    const next = n === 1 ? key : `${key}-${n}`
    if (!taken.has(next)) return next
  }
}

/** The starter catalogue allows 60. */
const MAX_KEY_LENGTH = 56

/** Retires a microgenre and its songs, one with ratings only when `isRatedToo`. Takes the catalogue's lock. */
export async function retireMicrogenre(
  tx: Transaction,
  id: string,
  isRatedToo: boolean,
): Promise<ChangeRefusal | null> {
  await lockCatalogue(tx)
  const [rated] = await tx`select from microgenre_totals where microgenre_id = ${id} and ratings > 0`
  const [pendingChange] = await tx<{ userId: string }[]>`
    select user_id from rating_changes where microgenre_id = ${id} and new_rated_at is not null limit 1`
  if (!isRatedToo && (rated || pendingChange))
    return { refusal: 'Listeners have rated songs of this microgenre. Only an operator retires it.' }
  const retired = await tx`
    update microgenres set retired_at = now(), live_song_count = 0 where id = ${id} and retired_at is null`
  if (retired.count === 0) return { refusal: 'This microgenre is already retired.' }
  // The same time as the microgenre's distinguishes them from songs retired before.
  await tx`
    update songs set retired_at = now(), source = 'import' where microgenre_id = ${id} and retired_at is null`
  return null
}

/** Restores a microgenre with these details, and the songs retired with it. Takes the catalogue's lock. */
export async function restoreMicrogenre(
  tx: Transaction,
  id: string,
  details: MicrogenreDetails,
): Promise<ChangeRefusal | null> {
  await lockCatalogue(tx)
  const refusal = await findRefusal(tx, details, id)
  if (refusal) return refusal
  const songs = await tx<{ id: string }[]>`
    select s.id from songs s join microgenres m on m.id = s.microgenre_id and s.retired_at = m.retired_at
    where m.id = ${id} order by s.seq`
  const { name, family, description } = details
  const restored = await tx`
    update microgenres set retired_at = null, name = ${name}, family = ${family}, description = ${description}
    where id = ${id} and retired_at is not null`
  if (restored.count === 0) return { refusal: 'This microgenre is already restored.' }
  for (const song of songs) await restoreSong(tx, song.id)
  return null
}

/** `ownId` may keep its name. */
async function findRefusal(
  tx: Queryable,
  details: MicrogenreDetails,
  ownId: string | null,
): Promise<ChangeRefusal | null> {
  const others = await tx<{ name: string; family: string }[]>`
    select name, family from microgenres where id is distinct from ${ownId}`
  const namesake = others.find(({ name }) => normalizeName(name) === normalizeName(details.name))
  if (namesake) return { refusal: `There is a microgenre '${namesake.name}' already.` }
  if (!others.some(({ family }) => family === details.family))
    return { refusal: `There is no family '${details.family}'.` }
  return null
}
