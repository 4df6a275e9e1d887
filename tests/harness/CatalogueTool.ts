import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { connect, type Database } from '../../server/db/connection.ts'
import { readEnv } from '../../server/env.ts'
import { createDeezer } from '../../server/integrations/deezer.ts'
import { createListenbrainz } from '../../server/integrations/listenbrainz.ts'
import { createMusicbrainz } from '../../server/integrations/musicbrainz.ts'
import { createWikidata } from '../../server/integrations/wikidata.ts'
import { createYoutube } from '../../server/integrations/youtube.ts'
import { type Outside, startOutside } from '../stand-ins/outside.ts'
import { type Line, layLine } from './cutConnection.ts'
import { runCatalogueHere } from './runCatalogueHere.ts'
import { setUpDatabase } from './setUpDatabase.ts'
import { startProgram } from './startProgram.ts'

/** Shortens the 25 seconds that an operator waits. */
export const SOON = { pause: 20, tries: 3 }

/** `npm run catalogue` against a database of its own and stand-ins for the services; usable from `beforeAll` on. */
export class CatalogueTool {
  readonly database = setUpDatabase()
  readonly folder = mkdtempSync(join(tmpdir(), 'catalogue-'))
  outside!: Outside
  line!: Line
  /** One connection, as in the program. */
  db!: Database

  constructor() {
    beforeAll(async () => {
      this.outside = await startOutside()
      this.line = await layLine(this.database.target)
      this.db = connect(this.database.target, { max: 1 })
    })
    afterAll(async () => {
      await this.db.end({ timeout: 5 })
      await this.line.close()
      await this.outside.close()
      rmSync(this.folder, { recursive: true })
    })
  }

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
    const [env, log] = [this.env(environment), pino({ level: 'silent' })]
    return {
      deezer: createDeezer(env, log, this.db),
      listenbrainz: createListenbrainz(env, log, this.db),
      musicbrainz: createMusicbrainz(env, log, this.db),
      wikidata: createWikidata(env, log, this.db),
      youtube: createYoutube(env, log, this.db),
    }
  }
}
