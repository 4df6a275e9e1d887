import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServices } from '../../server/catalogue/command.ts'
import { runCatalogue } from '../../server/catalogue/runCatalogue.ts'
import { connect } from '../../server/db/connection.ts'
import { readEnv } from '../../server/env.ts'
import { startOutside } from '../stand-ins/outside.ts'
import { startDatabaseProxy } from './databaseProxy.ts'
import { setUpDatabase } from './setUpDatabase.ts'
import { setUpFolder, setUpService } from './setUpService.ts'
import { type ProgramResult, startProgram } from './startProgram.ts'

/** Retries in milliseconds instead of 25 seconds. */
export const FAST_RETRIES = { pause: 20, tries: 3 }

/** `npm run catalogue` against a database of its own and stand-ins for the services; usable from `beforeAll` on. */
export class CatalogueTool {
  readonly database = setUpDatabase()
  readonly folder = setUpFolder()
  readonly outside = setUpService(startOutside)
  readonly line = setUpService(() => startDatabaseProxy(this.database.target))
  /** One connection, as in the program. */
  readonly db = setUpService(
    async () => connect(this.database.target, { max: 1 }),
    (db) => db.end({ timeout: 5 }),
  )

  run(args: string[], environment: Record<string, string> = this.outside.env) {
    return runCatalogueHere(args, {
      environment: { DATABASE_URL: this.line.target, ...environment },
      folder: this.folder,
    })
  }

  /** A process of its own, which can be killed. */
  start(args: string[]) {
    const env = { DATABASE_URL: this.line.target, ...this.outside.env }
    return startProgram('catalogue', args, { env, folder: this.folder })
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8')
  }

  env(environment: Record<string, string> = this.outside.env) {
    return readEnv({ NODE_ENV: 'test', ...environment })
  }

  /** New clients, so that circuit breakers do not affect other tests. */
  services(environment?: Record<string, string>) {
    return createServices(this.env(environment), this.db)
  }
}

/** `npm run catalogue` in this process, because a process of its own takes a second to start. */
export async function runCatalogueHere(
  args: string[],
  {
    environment,
    folder,
    signal = new AbortController().signal,
  }: { environment: Record<string, string>; folder: string; signal?: AbortSignal },
): Promise<ProgramResult> {
  const output = { stdout: '', stderr: '' }
  const code = await runCatalogue(args, {
    environment: { NODE_ENV: 'test', ...environment },
    folder,
    signal,
    print(line) {
      output.stdout += `${line}\n`
    },
    printError(line) {
      output.stderr += `${line}\n`
    },
  })
  return { code, ...output }
}
