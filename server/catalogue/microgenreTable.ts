import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { MicrogenreEntry } from '../../catalogue/catalogue.ts'
import { BadCatalogue, readTable } from '../../catalogue/readTable.ts'
import type { Queryable } from '../db/connection.ts'
import { BadInput, fileErrorMessage, validationMessages } from '../inputErrors.ts'

const noTags = z.literal('').transform((): [] => [])

/** As in the starter catalogue. A microgenre that an import created has no tags. */
const Microgenre = MicrogenreEntry.extend({
  energy: MicrogenreEntry.shape.energy.or(noTags),
  vocals: MicrogenreEntry.shape.vocals.or(noTags),
  familiarity: MicrogenreEntry.shape.familiarity.or(noTags),
  mood: MicrogenreEntry.shape.mood.or(noTags),
})

/**
 * Reads a table of microgenres, with the columns of catalogue/microgenres.tsv.
 * @throws BadInput with every fault found.
 */
export function readMicrogenreTable(file: string): MicrogenreEntry[] {
  const { rows, faults } = readTable(file, readText(file), Microgenre, validationMessages)
  if (faults.length > 0) throw new BadInput(new BadCatalogue(faults).message)
  return rows.map(({ entry }) => entry)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new BadInput(fileErrorMessage(error) ?? `'${file}' cannot be read.`)
  }
}

/** All microgenres in the format of `readMicrogenreTable`. */
export async function writeMicrogenreTable(db: Queryable): Promise<string> {
  const rows = await db<MicrogenreEntry[]>`
    select key, name, family, color, energy, vocals, familiarity, mood, relatives, description from microgenres
    where retired_at is null order by key`
  const columns = Object.keys(MicrogenreEntry.shape) as (keyof MicrogenreEntry)[]
  const lines = rows.map((row) => columns.map((column) => String(row[column])).join('\t'))
  return `${[columns.join('\t'), ...lines].join('\n')}\n`
}

/** @throws BadInput when a name appears twice or exists already. */
export async function addMicrogenres(
  db: Queryable,
  entries: MicrogenreEntry[],
  options: { update: boolean },
): Promise<void> {
  await writeMicrogenres(db, entries, options).catch((error: unknown) => {
    const { code, detail } = error as { code?: string; detail?: string }
    throw code === '23505' ? new BadInput(`The microgenres cannot be imported: ${detail}`) : error
  })
}

/**
 * Adds microgenres. With `update`, also changes existing keys and restores retired ones. Returns the number of added
 * or changed ones.
 */
export async function writeMicrogenres(
  db: Queryable,
  entries: MicrogenreEntry[],
  { update }: { update: boolean },
): Promise<number> {
  const written = await db<{ id: string }[]>`
    insert into microgenres as m (key, name, family, description, color, energy, vocals, familiarity, mood, relatives)
    select key, name, family, description, color, energy, vocals, familiarity, mood, relatives
    from jsonb_to_recordset(${db.json(entries)}) as i
      (key text, name text, family text, description text, color text,
       energy text[], vocals text[], familiarity text[], mood text[], relatives text[])
    on conflict (key) do update set
      name = excluded.name, family = excluded.family, description = excluded.description,
      color = excluded.color, energy = excluded.energy, vocals = excluded.vocals,
      familiarity = excluded.familiarity, mood = excluded.mood, retired_at = null,
      -- A file without relatives changes none.
      relatives = coalesce(nullif(excluded.relatives, '{}'), m.relatives)
    where ${update ? db`true` : db`false`} and (m.retired_at is not null or
      (m.name, m.family, m.description, m.color, m.energy, m.vocals, m.familiarity, m.mood,
       m.relatives)
        is distinct from (excluded.name, excluded.family, excluded.description, excluded.color,
                          excluded.energy, excluded.vocals, excluded.familiarity, excluded.mood,
                          coalesce(nullif(excluded.relatives, '{}'), m.relatives)))
    returning m.id`
  return written.length
}
