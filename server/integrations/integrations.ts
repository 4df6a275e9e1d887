import type { Logger } from 'pino'
import type { Database } from '../db/connection.ts'
import type { Env } from '../env.ts'
import { CompanionClient } from './companion/CompanionClient.ts'
import { type Covers, createCovers } from './covers.ts'
import { createDeezer, type Deezer } from './deezer.ts'
import { createListenbrainz, type Listenbrainz } from './listenbrainz.ts'
import { createListenbrainzAccounts, type ListenbrainzAccounts } from './listenbrainzAccounts.ts'
import { createMailer, type Mailer } from './mailer.ts'
import { createMusicbrainz, type Musicbrainz } from './musicbrainz.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { createSignInProviders, type SignInProviders } from './signIn/providers.ts'
import { createSpotify, type Spotify } from './spotify.ts'
import { createStore, type Store } from './storage/createStore.ts'
import { createYoutube, type Youtube } from './youtube.ts'

/** Clients of outside services. They return failures as values. */
export interface Integrations {
  mailer: Mailer
  covers: Covers
  deezer: Deezer
  /** Null without a token. */
  listenbrainz: Listenbrainz | null
  /** For listeners, with their tokens. */
  listenbrainzAccounts: ListenbrainzAccounts
  musicbrainz: Musicbrainz
  spotify: Spotify
  youtube: Youtube
  store: Store
  signIn: SignInProviders
  pictures: Pictures
  /** Null when no remote provider is configured. */
  companion: CompanionClient | null
}

/** `secret` signs upload addresses and calls to Companion. */
export function createIntegrations(env: Env, log: Logger, db: Database, secret: string): Integrations {
  return {
    mailer: createMailer(env, log),
    covers: createCovers(env, log, db),
    deezer: createDeezer(env, log, db),
    listenbrainz: createListenbrainz(env, log, db),
    listenbrainzAccounts: createListenbrainzAccounts(env, log, db),
    musicbrainz: createMusicbrainz(env, log, db),
    spotify: createSpotify(env, log, db),
    youtube: createYoutube(env, log, db),
    store: createStore(env, log, secret),
    signIn: createSignInProviders(env, log),
    pictures: createPictures(env),
    companion: env.companionUrl ? new CompanionClient(env.companionUrl, secret) : null,
  }
}
