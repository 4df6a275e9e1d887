import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { CompanionClient } from './companion/CompanionClient.ts'
import { createCovers } from './covers.ts'
import { createDeezer } from './deezer.ts'
import { createListenbrainz } from './listenbrainz.ts'
import { createListenbrainzAccounts } from './listenbrainzAccounts.ts'
import { createMailer } from './mailer.ts'
import { createMusicbrainz } from './musicbrainz.ts'
import { createPictures } from './pictures.ts'
import { createSignInProviders } from './signIn/providers.ts'
import { createSpotify } from './spotify.ts'
import { createStore } from './storage/createStore.ts'
import { createYoutube } from './youtube.ts'

export type Integrations = ReturnType<typeof createIntegrations>

/** Clients of outside services. They return failures as values. `secret` signs upload addresses and calls to Companion. */
export function createIntegrations(env: Env, log: Logger, db: Database, secret: string) {
  return {
    mailer: createMailer(env, log),
    covers: createCovers(env, log, db),
    deezer: createDeezer(env, log, db),
    /** Null without a token. */
    listenbrainz: createListenbrainz(env, log, db),
    /** For listeners, with their tokens. */
    listenbrainzAccounts: createListenbrainzAccounts(env, log, db),
    musicbrainz: createMusicbrainz(env, log, db),
    spotify: createSpotify(env, log, db),
    youtube: createYoutube(env, log, db),
    store: createStore(env, log, secret),
    signIn: createSignInProviders(env, log),
    pictures: createPictures(env),
    /** Null when no remote provider is configured. */
    companion: env.companionUrl ? new CompanionClient(env.companionUrl, secret) : null,
  }
}
