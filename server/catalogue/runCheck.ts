import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkCatalogue, countSongs } from './checkCatalogue.ts'
import { type CommandLine, USAGE } from './commandLine.ts'
import { coverageTable } from './coverageTable.ts'
import { BadInput } from './fault.ts'
import { openCatalogue } from './openCatalogue.ts'

/** Examples per finding on screen and in the report. */
const MOST_PRINTED = 3
const MOST_REPORTED = 100_000

/** `check`. Returns 1 for errors that the product cannot work with. */
export async function runCheck({ env, files, options, folder, print }: CommandLine): Promise<number> {
  if (files.length > 0) throw new BadInput(USAGE)
  const { db, close } = await openCatalogue(env)
  try {
    const [state, findings, coverage] = await db.begin(
      'isolation level repeatable read read only',
      async (tx) => {
        await tx`set local statement_timeout = '10min'`
        return [
          await countSongs(tx),
          await checkCatalogue(tx, options.report ? MOST_REPORTED : MOST_PRINTED),
          options.coverage ? await coverageTable(tx) : [],
        ] as const
      },
    )
    const live = state.songs - state.retired
    print(
      `${grouped(live)} songs in ${grouped(state.microgenres)} microgenres, plus ${grouped(state.retired)} retired songs. ` +
        `With a video: ${grouped(state.withVideo)}, a Spotify id: ${grouped(state.withSpotify)}, ` +
        `a Deezer track: ${grouped(state.withDeezer)}, a duration: ${grouped(state.withDuration)}.`,
    )
    for (const line of coverage) print(line)
    for (const { what, isWrong, count, examples } of findings) {
      print(`${isWrong ? 'ERROR: ' : ''}${grouped(count)} ${what}:`)
      for (const example of examples.slice(0, MOST_PRINTED)) print(`  ${example}`)
    }
    if (options.report) {
      const lines = findings.flatMap(({ what, examples }) =>
        examples.map((example) => `${what}\t${example}\n`),
      )
      await writeFile(resolve(folder, options.report), lines.join(''))
      print(`All findings are in ${options.report}.`)
    }
    const isWrong = findings.some((finding) => finding.isWrong)
    print(isWrong ? 'Errors found.' : 'No errors found.')
    return isWrong ? 1 : 0
  } finally {
    await close()
  }
}

const grouped = (count: number) => count.toLocaleString('en')
