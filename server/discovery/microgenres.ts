import type { listMicrogenres as listMicrogenresCall } from '../../contract/discovery.ts'
import type { Response } from '../../contract/endpoint.ts'
import type { Microgenre } from '../../contract/shapes.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'

type ListedMicrogenre = Response<typeof listMicrogenresCall>[number]

/**
 * Every microgenre by name, with the number of songs that are still to come in the current pass. Those that are done
 * are looked up only in microgenres with retired ones, because the lookups are spread over many pages of a large catalogue.
 */
export async function listMicrogenres(db: Database, listener: string): Promise<ListedMicrogenre[]> {
  return db<ListedMicrogenre[]>`
    select m.id, m.name, m.family, m.mood, m.description, m.color, m.live_song_count as song_count,
      coalesce(t.bangers, 0) as banger_count,
      greatest(m.live_song_count - coalesce(done.songs, 0), 0)::int as unrated_count
    from microgenres m
    left join microgenre_totals t on t.microgenre_id = m.id
    left join (
      select p.microgenre_id, count(*) as songs
      from songs_of_pass_v1(${listener}) p
      join microgenres m on m.id = p.microgenre_id
      where p.done and (
        m.live_song_count = m.song_count or (select s.retired_at is null from songs s where s.id = p.song_id))
      group by p.microgenre_id
    ) done on done.microgenre_id = m.id
    where m.retired_at is null
    order by lower(m.name)`
}

/**
 * Suggestions after a microgenre: those that share the most tags first, ties by name, only with songs that the
 * listener has not rated in the current pass (discover-28).
 */
export async function suggestMicrogenres(
  db: Database,
  listener: string,
  { exclude, limit }: { exclude?: string; limit: number },
): Promise<Microgenre[]> {
  const [from] = exclude ? await db<Tags[]>`${tagsOf(db)} where id = ${exclude}` : []
  const candidates = (await listMicrogenres(db, listener)).filter(
    (m) => m.id !== exclude && m.unratedCount > 0,
  )
  const tags = new Map((await db<Tags[]>`${tagsOf(db)}`).map((row) => [row.id, row]))
  const nearness = (id: string) => (from ? sharedTags(from, tags.get(id)) : 0)
  return candidates
    .map((microgenre) => ({ microgenre, nearness: nearness(microgenre.id) }))
    .sort((a, b) => b.nearness - a.nearness || a.microgenre.name.localeCompare(b.microgenre.name))
    .slice(0, limit)
    .map(({ microgenre }) => microgenre)
}

/** @throws HttpError 404 for an unknown microgenre. */
export async function restartMicrogenre(
  db: Database,
  listener: string,
  id: string,
): Promise<{ success: boolean }> {
  const [row] = await db<{ restarted: boolean }[]>`
    select restart_microgenre_v1(${listener}, ${id}) as restarted`
  if (!row?.restarted) throw new HttpError(404, 'There is no such microgenre.')
  return { success: true }
}

interface Tags {
  id: string
  family: string
  tags: string[]
}

const tagsOf = (db: Database) => db`
  select id, family, energy || vocals || familiarity || mood as tags from microgenres`

/** A shared family counts as much as two shared tags. */
function sharedTags(one: Tags, other: Tags | undefined): number {
  if (!other) return 0
  return one.tags.filter((tag) => other.tags.includes(tag)).length + (one.family === other.family ? 2 : 0)
}
