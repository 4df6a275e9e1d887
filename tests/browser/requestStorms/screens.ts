import type { Locator, Page } from '@playwright/test'
import { MAX_API_TOKEN_NAME_LENGTH } from '../../../contract/apiTokens.ts'
import { MAX_MICROGENRE_LENGTHS } from '../../../contract/desk.ts'
import { MAX_PASSKEY_NAME_LENGTH } from '../../../contract/passkeys.ts'
import { MAX_BIO_LENGTH, MAX_NAME_LENGTH } from '../../../contract/profiles.ts'
import type { ShareKind } from '../../../contract/sharing.ts'
import { makeSong } from '../../makeSong.ts'

/* Every screen and dialog, with the longest names, and what a listener does there. */

/** What a user does on a page. */
interface Action {
  target: (page: Page) => Locator
  run: (target: Locator) => Promise<void>
}

export interface Screen {
  name: string
  path: string
  /** Opens at the size of a phone. */
  phone?: true
  /** Its appearance is checked only in `npm run test:all`, because another screen is similar. */
  isVariant?: true
  /** Not opened while calls fail: it makes none of its own, and leaves a queue to the next screen. */
  isCheckedOnly?: true
  /** Actions that open the screen from its path, then use it, and the moments at which its looks are checked. */
  actions?: (Action | typeof LOOK_ONLY)[]
  /** Responses that lead to the screen. */
  instead?: Record<string, { status?: number; json: unknown }>
}

/** Marks where the appearance of a screen is checked; without actions it is checked once open. */
export const LOOK_ONLY = 'look' as const

export const actionsOf = ({ actions = [] }: Screen): Action[] => actions.filter((step) => step !== LOOK_ONLY)

/** While calls fail the clock stands still, so a toast of the load can stay over a button. */
const click = (target: Locator) => target.click({ timeout: 5000 }).catch(() => target.dispatchEvent('click'))

const press = (name: string | RegExp, role: 'button' | 'tab' | 'switch' = 'button'): Action => ({
  target: (page) => page.getByRole(role, { name, exact: true }).first(),
  run: click,
})

const write = (label: string, text: string): Action => ({
  target: (page) => page.getByLabel(label, { exact: true }),
  run: (field) => field.fill(text),
})

const choose = (label: string, option: string): Action => ({
  target: (page) => page.getByLabel(label, { exact: true }),
  run: async (field) => void (await field.selectOption(option)),
})

const FIND_SONG = 'Address, or artist and title'

const firstRow: Action = {
  target: (page) => page.getByRole('dialog').getByRole('listitem').getByRole('button').first(),
  run: click,
}

/** Not the player's button of the same name. */
const undoReport: Action = {
  target: (page) => page.getByRole('status', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }),
  run: click,
}

/** Types the address that the dialog asks for. */
const confirmDeletion: Action = {
  target: (page) => page.getByLabel(/^To confirm, type /),
  async run(field) {
    const words = await field.evaluate((input: HTMLInputElement) => input.labels?.[0]?.innerText ?? '')
    await field.fill(words.replace('To confirm, type ', ''))
  },
}

const TIMESTAMP = '2026-03-04T05:06:07.000Z'
const UNBREAKABLE = 'An unbreakabletitle'.repeat(8)
const LONG_SONG = { title: UNBREAKABLE, artist: 'ﷺ and the W'.repeat(14) }
const LONG_ADDRESS = `${'l'.repeat(60)}@example.org`
const MICROGENRES = ['Atmospheric Drum and Bass', 'Neue Deutsche Welle', 'موسيقى']
const LONG_MICROGENRES = [...MICROGENRES, 'x'.repeat(60)]

const MIX = { id: '7', name: UNBREAKABLE, createdAt: TIMESTAMP, songIds: [], shareToken: null }

const TAIL_FIGURES = {
  plays: 1_234_567,
  halfPlays: 234_567,
  littleHeard: 900,
  littleHeardNew: 20,
  neverHeard: 7,
}

const invitation = (state: string, isSignedIn: boolean): Screen => ({
  name: `invitation that is ${state}, ${isSignedIn ? 'signed in' : 'signed out'}`,
  path: '/invite/pQ7x0bq1Zk3m5n9r2t4v6y8A1C3E5G7I9K1M3O5Q7S0',
  instead: {
    'POST /api/auth/invitation': {
      json: { state, expiresAt: TIMESTAMP, registration: 'invite', isSignedIn },
    },
  },
})

const VISITOR_SONG = {
  ...{ id: '1', title: 'Night buses to the end of the line and back', artist: LONG_SONG.artist, audio: null },
  ...{ albumArt: null, youtubeId: 'v'.repeat(11), youtubeBlocked: false },
  microgenre: { key: 'dub', name: MICROGENRES[0], color: '#c45b7c' },
}

export const signedOut = (shared: Record<Exclude<ShareKind, 'blind'>, string>): Screen[] => [
  { name: 'landing', path: '/' },
  {
    name: 'songs for visitors',
    path: '/try',
    instead: {
      'GET /api/visitors/tryout': {
        json: { songs: [VISITOR_SONG, { ...VISITOR_SONG, id: '2', youtubeId: null }], other: 'dub' },
      },
    },
    actions: [LOOK_ONLY, press('BANGER'), LOOK_ONLY],
  },
  {
    name: 'sign-in',
    path: '/login',
    actions: [
      press('Continue with e-mail'),
      write('E-mail', 'somebody@example.org'),
      LOOK_ONLY,
      press('Send magic link'),
    ],
  },
  {
    name: 'sign-in with a code that is wrong',
    path: '/login',
    isVariant: true,
    instead: { 'POST /api/auth/magic-link/code': { status: 403, json: { message: 'This code is wrong.' } } },
    actions: [
      press('Continue with e-mail'),
      write('E-mail', 'somebody@example.org'),
      press('Send magic link'),
      write('Code from the mail', '123456'),
      LOOK_ONLY,
    ],
  },
  {
    name: 'sign-in with a passkey, after a link that had expired',
    path: '/auth?error=link-expired',
    actions: [LOOK_ONLY, press('Sign in with a passkey')],
  },
  { name: 'sign-in at any other address', path: '/no-such-page', actions: [] },
  {
    name: 'privacy',
    path: '/privacy',
    instead: { 'POST /api/contact/operator': { json: { message: 'Thank you for your feedback.' } } },
    actions: [LOOK_ONLY, write('Email', 'me@example.org'), write('Message', 'Hello'), press('Send message')],
  },
  {
    name: 'how fairly songs are heard',
    path: '/fairness',
    instead: {
      'GET /api/community/long-tail': {
        json: {
          all: { ...TAIL_FIGURES, songs: 12_345, countedAt: TIMESTAMP },
          microgenres: LONG_MICROGENRES.map((microgenre) => ({
            ...TAIL_FIGURES,
            songs: 1234,
            microgenre,
            color: '#c45b7c',
          })),
          withoutFigures: LONG_MICROGENRES,
        },
      },
    },
  },
  {
    name: 'how fairly songs are heard, before anything is counted',
    path: '/fairness',
    isVariant: true,
    instead: { 'GET /api/community/long-tail': { json: { all: null, microgenres: [], withoutFigures: [] } } },
  },
  invitation('open', false),
  { ...invitation('expired', false), isVariant: true },
  { ...invitation('open', true), isVariant: true },
  { name: 'shared collection', path: shared.collection },
  { name: 'shared achievement', path: shared.achievement },
  { name: 'microgenre for everybody', path: '/microgenres/zydeco' },
  { name: 'shared mix', path: shared.mix },
  {
    name: 'blind round of a friend',
    path: `/share/blind/${'A'.repeat(32)}`,
    instead: {
      'GET /api/share/blind/:shareToken': {
        json: {
          createdAt: TIMESTAMP,
          user: { firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null },
          songs: [VISITOR_SONG],
        },
      },
      'POST /api/share/blind/:shareToken': { json: { verdicts: [{ songId: '1', rating: 'bust' }] } },
    },
    // A tab that has rated the song goes on with its end.
    actions: [LOOK_ONLY, press(/^(Rate them blind|Go on)$/), press('BANGER'), LOOK_ONLY],
  },
]

const SUGGESTION = {
  ...LONG_SONG,
  id: '7',
  year: null,
  microgenreId: '1',
  microgenre: 'shoegaze',
  address: null,
  state: 'waiting',
  reason: null,
  votes: 1,
  song: null,
  createdAt: TIMESTAMP,
  decidedAt: null,
}

const PASSKEY = { id: '7', name: 'Phone', createdAt: TIMESTAMP, lastUsedAt: null }

/** The song that an address names. */
const RECOGNISED_SONG = {
  service: 'youtube',
  address: 'https://www.youtube.com/watch?v=JCUPc9zVfyo',
  ...LONG_SONG,
  year: null,
  message: null,
  known: null,
  votes: 0,
}

const longSong = {
  'GET /api/microgenres/:id/next-song?_t': { json: makeSong('7', { ...LONG_SONG, reason: 'taste' }) },
}

const openSuggest = [press(/^Currently listening to /), press('Suggest a song')]

export const player: Screen[] = [
  { name: 'player', path: '/' },
  { name: 'player on a phone', path: '/', phone: true, actions: [] },
  { name: 'picker', path: '/', actions: [press(/^Currently listening to /), LOOK_ONLY] },
  { name: 'shortcuts', path: '/', actions: [press('Keyboard shortcuts'), LOOK_ONLY] },
  {
    name: 'why this song',
    path: '/',
    instead: longSong,
    actions: [press('Fits what you banged before'), LOOK_ONLY],
  },
  { name: 'rating and undo', path: '/', actions: [press('BANGER'), LOOK_ONLY, press('Undo')] },
  {
    name: 'more like this and undo',
    path: '/',
    instead: {
      'POST /api/batch/rate-and-advance': {
        json: {
          completed: false,
          nextSong: makeSong('8', { reason: 'taste' }),
          ratedAt: TIMESTAMP,
          listeners: 1,
          isFirst: true,
          room: null,
          totals: { totalBangers: 1, totalRatings: 1 },
          today: null,
          canLean: true,
          unlocked: false,
        },
      },
      'PUT /api/songs/:id/more-like-this': { json: { success: true } },
      'DELETE /api/songs/:id/more-like-this': { json: { success: true } },
    },
    actions: [press('BANGER'), press('More like this'), LOOK_ONLY, press('Undo')],
  },
  { name: 'not now and undo', path: '/', actions: [press('Not now'), press('Undo')] },
  {
    name: 'own suggestions',
    path: '/',
    instead: {
      'GET /api/suggestions': { json: { suggestions: [SUGGESTION], left: 4 } },
      'DELETE /api/suggestions/:id': { json: { success: true } },
    },
    actions: [...openSuggest, press(/^Yours/, 'tab'), LOOK_ONLY, press(/^Take back: /)],
  },
  {
    name: 'suggestion by words',
    path: '/',
    instead: {
      'GET /api/suggestions/search?words': {
        json: { songs: [{ ...LONG_SONG, albumArt: null, address: null, known: null }], deezer: true },
      },
    },
    actions: [
      ...openSuggest,
      write(FIND_SONG, 'Slowdive Alison'),
      LOOK_ONLY,
      firstRow,
      press('Suggest it'),
      LOOK_ONLY,
    ],
  },
  {
    name: 'suggestion by address',
    path: '/',
    instead: { 'POST /api/suggestions/recognise': { json: RECOGNISED_SONG } },
    actions: [...openSuggest, write(FIND_SONG, 'https://youtu.be/JCUPc9zVfyo'), LOOK_ONLY],
  },
  {
    name: 'report of a song',
    path: '/',
    instead: { ...longSong, 'DELETE /api/reports/:id': { json: { success: true } } },
    actions: [press('Hear it elsewhere'), LOOK_ONLY, press('Does not play'), undoReport],
  },
  {
    name: 'feedback',
    path: '/',
    actions: [
      press('Thoughts?'),
      write('Message', 'Hello'),
      write('Email', 'me'),
      press(/^Send/),
      LOOK_ONLY,
      write('Email', 'me@example.org'),
      press(/^Send/),
    ],
  },
  {
    name: 'completion',
    path: '/',
    instead: { 'GET /api/microgenres/:id/next-song?_t': { status: 404, json: { message: 'No more songs' } } },
    actions: [LOOK_ONLY, press('Restart This Microgenre')],
  },
  {
    name: 'questionnaire',
    path: '/',
    instead: { 'GET /api/users/me/preferences': { json: null } },
    actions: [
      LOOK_ONLY,
      ...['Slow', 'Both', 'Indie', 'Ambient'].map((answer) => press(new RegExp(`^${answer}`))),
      LOOK_ONLY,
      press('Save & Start Exploring'),
    ],
  },
  { name: 'unknown address', path: '/no-such-page' },
]

const MAPPED_GENRE = {
  id: '1',
  name: 'acid house',
  family: 'electronic',
  description: 'A Roland TB-303 squelches. '.repeat(12),
  color: '#938920',
  songCount: 30,
  x: 0,
  y: 0,
  ratings: 2,
  bangers: 1,
  near: ['2', '3', '4'],
}

const MAP_GENRES = ['acid house', ...MICROGENRES, 'dub', 'EBM'].map((name, n) => ({
  ...MAPPED_GENRE,
  id: `${n + 1}`,
  name,
  x: n % 3,
  y: n,
  ratings: n,
  bangers: n,
}))

const LISTENBRAINZ = {
  service: 'ListenBrainz',
  link: {
    userName: UNBREAKABLE,
    sendsBusts: false,
    isRefused: false,
    isFailing: true,
    sent: 12_345,
    waiting: 1,
  },
}

const API_TOKEN = {
  id: '7',
  name: 'Night backup',
  scopes: ['read', 'rate', 'export'],
  createdAt: TIMESTAMP,
  lastUsedAt: TIMESTAMP,
}

export const sections: Screen[] = [
  { name: 'library', path: '/', actions: [press(/^My Library/), LOOK_ONLY] },
  {
    name: 'empty library',
    isVariant: true,
    path: '/',
    instead: { 'GET /api/users/me/ratings': { json: [] } },
    actions: [press(/^My Library/), LOOK_ONLY, press('Discover Music')],
  },
  {
    name: 'library with a song, then with a queue',
    path: '/',
    isCheckedOnly: true,
    actions: [
      press(/^My Library/),
      press(/ by .+, /),
      LOOK_ONLY,
      press('Play all'),
      press('Up next'),
      LOOK_ONLY,
    ],
  },
  {
    name: 'removal from the library',
    path: '/',
    instead: { 'DELETE /api/users/me/ratings/:songId': { json: { success: true } } },
    actions: [press(/^My Library/), press(/^Remove from library: /), press('Dismiss')],
  },
  {
    name: 'files of bangers',
    path: '/',
    instead: {
      'GET /api/users/me/listenbrainz': { json: LISTENBRAINZ },
      'GET /api/users/me/bangers/export/counts': {
        json: { songs: 12_345, isrc: 1, recordingMbid: 1234, address: 1234, video: 0 },
      },
      'POST /api/users/me/listenbrainz/playlists': { json: { address: null, songs: 1000, sent: 300 } },
    },
    actions: [press(/^My Library/), press('Save as…'), LOOK_ONLY, press(/^Send to /), LOOK_ONLY],
  },
  {
    name: 'collection',
    path: '/',
    actions: [
      press(/^My Library/),
      press('Share Collection'),
      write('Name', 'Night buses'),
      LOOK_ONLY,
      press('Create Collection'),
    ],
  },
  {
    name: 'own collections',
    path: '/',
    instead: {
      'DELETE /api/collections/:id': { json: { success: true } },
      'DELETE /api/collections/:id/share': { json: { success: true } },
    },
    actions: [
      press(/^My Library/),
      press('Collections'),
      LOOK_ONLY,
      firstRow,
      press('Save'),
      press('Share'),
      LOOK_ONLY,
      press('End the link'),
      press('Delete collection'),
      LOOK_ONLY,
      press('Delete'),
    ],
  },
  {
    name: 'mixes',
    path: '/',
    instead: {
      'POST /api/mixes': { json: MIX },
      'PUT /api/mixes/:id': { json: MIX },
      'DELETE /api/mixes/:id': { json: { success: true } },
    },
    actions: [
      press(/^My Library/),
      press('Mixes'),
      write('Name', 'Night buses'),
      LOOK_ONLY,
      press('Create Mix'),
      press('Save'),
      LOOK_ONLY,
      press('Delete mix'),
      press('Delete'),
    ],
  },
  { name: 'community', path: '/', actions: [press(/^Community/), LOOK_ONLY] },
  { name: 'achievement', path: '/', actions: [press(/^Community/), press(/^Share First Banger/), LOOK_ONLY] },
  {
    name: 'stats',
    path: '/',
    isVariant: true,
    actions: [press(/^Community/), press('Share Stats'), LOOK_ONLY],
  },
  {
    name: 'blind round',
    path: '/',
    actions: [
      press(/^Community/),
      press('Blind Round'),
      LOOK_ONLY,
      press('Stop sharing and delete the results'),
      press('Yes, share ten verdicts'),
    ],
    instead: {
      'DELETE /api/blind-round': { json: { success: true } },
      'POST /api/blind-round': { json: { shareToken: 'A'.repeat(32), results: [] } },
      'GET /api/blind-round': {
        json: {
          shareToken: 'A'.repeat(32),
          results: [{ name: 'W'.repeat(40), agreed: 7, songs: 10, createdAt: TIMESTAMP }],
        },
      },
    },
  },
]

export const IMPORT = {
  id: '7',
  key: 'uploads/7/0Nq5vXkC0mR1y2Zb3Lw4Vg',
  fileName: `${UNBREAKABLE}.zip`,
  sources: ['Spotify, extended history', 'YouTube Music, library'],
  status: 'ready',
  error: null,
  header: null,
  progress: { bytes: 1_000_000, size: 300_000_000, rows: 1_234_567 },
  heaps: { known: 123_456, doubtful: 12_345, unknown: 123_456 },
  bangers: 12_345,
  busts: 1234,
  plays: 123_456,
  leftOut: { short: 1_234_567, 'no name': 40, 'web page': 1 },
  collections: 0,
  achievements: [
    {
      id: '1',
      type: 'microgenre_master',
      metadata: { microgenreName: LONG_MICROGENRES[3] },
      createdAt: TIMESTAMP,
    },
  ],
  createdAt: TIMESTAMP,
  appliedAt: null,
}

const UNKNOWN_TABLE = {
  ...IMPORT,
  status: 'failed',
  error: 'The columns of this table are unknown. Please choose those of title and artist.',
  header: [UNBREAKABLE, 'Band'],
}

const IMPORTED_SONG = {
  ...LONG_SONG,
  place: 1,
  verdict: 'banger',
  plays: 1234,
  at: null,
  isSame: null,
  song: {
    ...LONG_SONG,
    id: '7',
    year: 1993,
    microgenreId: '1',
    microgenre: LONG_MICROGENRES[3],
    albumArt: null,
  },
  address: null,
}

export const people: Screen[] = [
  { name: 'people', path: '/', actions: [press('Discover Music Explorers'), LOOK_ONLY] },
  {
    name: "somebody's followers",
    isVariant: true,
    path: '/',
    actions: [press('Discover Music Explorers'), firstRow, press(/ followers?$/), LOOK_ONLY],
  },
  { name: 'whom one follows', path: '/', actions: [press('Your profile'), press(/ following$/), LOOK_ONLY] },
  {
    name: "somebody's profile",
    path: '/',
    actions: [press('Discover Music Explorers'), firstRow, LOOK_ONLY, press('Follow'), press('Following')],
  },
  {
    name: 'report of a profile',
    path: '/',
    actions: [
      press('Discover Music Explorers'),
      firstRow,
      press('Report this profile'),
      LOOK_ONLY,
      press('Hateful'),
    ],
  },
  {
    name: 'own profile',
    path: '/',
    actions: [press('Your profile'), write('Bio', 'i'.repeat(MAX_BIO_LENGTH)), LOOK_ONLY, press(/^Save/)],
  },
  {
    name: 'profile page',
    path: '/profile',
    actions: [LOOK_ONLY, press(/^Sign out .+ on /)],
  },
  // First, because the device is told silently after a removal, with the same call.
  { name: 'adding a passkey', path: '/profile', actions: [press('Add a passkey')] },
  {
    name: 'passkeys',
    path: '/profile',
    instead: {
      'GET /api/auth/passkeys': {
        json: [PASSKEY, { ...PASSKEY, id: '8', name: 'W'.repeat(MAX_PASSKEY_NAME_LENGTH) }],
      },
      'PUT /api/auth/passkeys/:id': { json: PASSKEY },
      'DELETE /api/auth/passkeys/:id': { json: { success: true } },
    },
    actions: [
      press('Rename Phone'),
      write('Name of the passkey', 'Tablet'),
      LOOK_ONLY,
      press('Save'),
      press('Remove Phone'),
      LOOK_ONLY,
      press('Remove'),
    ],
  },
  {
    name: 'map of microgenres',
    path: '/microgenres',
    instead: {
      'GET /api/microgenres/map': { json: MAP_GENRES },
      'GET /api/microgenres/:id/next-song?_t': { json: makeSong('7', { youtubeId: 'JCUPc9zVfyo' }) },
    },
    actions: [press(/^acid house, /), press('Hear a song'), LOOK_ONLY, press('Share'), LOOK_ONLY],
  },
  {
    name: 'list of microgenres',
    path: '/microgenres',
    instead: { 'GET /api/microgenres/map': { json: MAP_GENRES } },
    actions: [press('List'), LOOK_ONLY, press('Map')],
  },
  {
    name: 'empty map',
    path: '/microgenres',
    isVariant: true,
    instead: { 'GET /api/microgenres/map': { json: [] } },
  },
  { name: 'achievements', path: '/profile', actions: [press(/^Achievements/, 'tab'), LOOK_ONLY] },
  { name: 'photo', path: '/profile', actions: [press('Change photo')] },
  {
    name: 'bringing loves',
    path: '/imports',
    instead: {
      'GET /api/imports': {
        json: [IMPORT, { ...IMPORT, id: '8', status: 'applied' }, { ...IMPORT, id: '9', status: 'failed' }],
      },
    },
    actions: [LOOK_ONLY, press('Choose files'), LOOK_ONLY],
  },
  {
    name: 'an import that is read',
    path: '/imports/7',
    instead: {
      'GET /api/imports/:id': { json: { ...IMPORT, status: 'reading' } },
      'DELETE /api/imports/:id': { json: null },
    },
    actions: [LOOK_ONLY, press('Cancel')],
  },
  {
    name: 'an import of unknown columns',
    path: '/imports/7',
    instead: {
      'GET /api/imports/:id': { json: UNKNOWN_TABLE },
      'POST /api/imports': { json: IMPORT },
    },
    actions: [choose('Title', UNBREAKABLE), choose('Artist', 'Band'), LOOK_ONLY, press('Read it again')],
  },
  {
    name: 'dry run of an import',
    path: '/imports/7',
    instead: {
      'GET /api/imports/:id': { json: IMPORT },
      'GET /api/imports/:id/songs?heap&limit': { json: [IMPORTED_SONG] },
      'PUT /api/imports/:id/songs/:place': { json: { success: true } },
      'POST /api/imports/:id/apply': { json: { ...IMPORT, status: 'applying' } },
    },
    actions: [
      LOOK_ONLY,
      press('The same song'),
      press(/^Known/, 'tab'),
      LOOK_ONLY,
      press(/^Unknown/, 'tab'),
      LOOK_ONLY,
      press(/^Left out/, 'tab'),
      LOOK_ONLY,
      press(/^Add /),
    ],
  },
  {
    name: 'an import that was applied',
    path: '/imports/7',
    isCheckedOnly: true,
    instead: {
      'GET /api/imports/:id': { json: { ...IMPORT, status: 'applied', appliedAt: TIMESTAMP } },
      'GET /api/imports/:id/songs?heap&limit': { json: [IMPORTED_SONG] },
    },
  },
  {
    name: 'tokens for programs',
    path: '/profile',
    instead: {
      'GET /api/auth/tokens': {
        json: [
          API_TOKEN,
          { ...API_TOKEN, id: '8', name: 'W'.repeat(MAX_API_TOKEN_NAME_LENGTH), lastUsedAt: null },
        ],
      },
      'POST /api/auth/tokens': { json: { ...API_TOKEN, token: `bob_${'W'.repeat(43)}` } },
      'DELETE /api/auth/tokens/:id': { json: { success: true } },
    },
    actions: [
      press('Tokens…'),
      LOOK_ONLY,
      press('Revoke Night backup'),
      write('What it is for', 'Backup'),
      press('Make a token'),
      LOOK_ONLY,
    ],
  },
  {
    name: 'an account at ListenBrainz',
    path: '/profile',
    instead: {
      'GET /api/users/me/listenbrainz': { json: LISTENBRAINZ },
      'PUT /api/users/me/listenbrainz': { json: LISTENBRAINZ },
      'PUT /api/users/me/listenbrainz/busts': { json: LISTENBRAINZ },
      'DELETE /api/users/me/listenbrainz': { json: { success: true } },
    },
    actions: [
      LOOK_ONLY,
      press('Busts become hates', 'switch'),
      press('Unlink'),
      write('User token', 'x'.repeat(36)),
      press('Link'),
    ],
  },
  {
    name: 'an account at ListenBrainz that refuses its token',
    path: '/profile',
    isCheckedOnly: true,
    instead: {
      'GET /api/users/me/listenbrainz': {
        json: { ...LISTENBRAINZ, link: { ...LISTENBRAINZ.link, isRefused: true } },
      },
    },
  },
  {
    name: 'loves at ListenBrainz',
    path: '/profile',
    isVariant: true,
    instead: {
      'GET /api/users/me/listenbrainz': { json: LISTENBRAINZ },
      'POST /api/users/me/listenbrainz/imports': { json: IMPORT },
      'GET /api/imports/:id': { json: { ...IMPORT, heaps: { known: 0, doubtful: 0, unknown: 0 } } },
      'GET /api/imports/:id/songs?heap&limit': { json: [] },
    },
    actions: [press('Bring these loves')],
  },
  {
    name: 'signing out everywhere',
    path: '/profile',
    instead: { 'DELETE /api/auth/sessions': { json: { success: true } } },
    actions: [press('Sign out everywhere')],
  },
  {
    name: 'deleting the account',
    path: '/profile',
    instead: { 'DELETE /api/users/me': { json: { success: true } } },
    actions: [press('Delete my account'), LOOK_ONLY, confirmDeletion, press('Delete my account')],
  },
]

const BROKEN_VIDEO = {
  songId: '7',
  title: 'Acid Tracks',
  artist: 'Phuture',
  youtubeId: 'JCUPc9zVfyo',
  blocked: true,
  played: 1,
  failed: 4,
  previews: 3,
  errors: { '150': 4 },
  lastReportedAt: TIMESTAMP,
}

const DESK_VALUES = {
  ...LONG_SONG,
  id: '7',
  year: 1993,
  microgenreId: '1',
  microgenre: 'shoegaze',
  color: '#778899',
  albumArt: null,
  youtubeId: null,
  spotifyId: null,
  deezerTrackId: null,
  recordingMbid: null,
}

const PERSON = {
  id: '9',
  name: UNBREAKABLE.slice(0, MAX_NAME_LENGTH),
  bio: 'i'.repeat(MAX_BIO_LENGTH),
  profileImageUrl: null,
}

const LONG_NAME = UNBREAKABLE.slice(0, MAX_MICROGENRE_LENGTHS.name)

/** The cases at the desk, by subject. */
const SUBJECTS = {
  suggestion: {
    ...DESK_VALUES,
    state: 'waiting',
    address: `https://a-band.bandcamp.com/track/${'a-song-'.repeat(40)}`,
    service: 'bandcamp',
    suggester: { id: '9', name: PERSON.name, isTrusted: true, waiting: 12 },
    foundScore: 54,
    alike: [DESK_VALUES],
  },
  video: {
    ...DESK_VALUES,
    videoTitle: LONG_SONG.title,
    channel: LONG_SONG.artist,
    videoMs: 3_723_000,
    songMs: null,
    source: 'youtube',
    score: 64,
    doubt: 'weak',
  },
  microgenre: {
    id: '7',
    name: LONG_NAME,
    family: 'W'.repeat(MAX_MICROGENRE_LENGTHS.family),
    near: LONG_NAME,
    color: '#778899',
    songs: 1234,
    artists: 567,
    examples: [1, 2, 3, 4, 5].map((n) => ({
      ...LONG_SONG,
      recordingMbid: `8f3471b5-7e6a-48da-86a9-c1c07a0f470${n}`,
      year: 1993,
    })),
  },
  song: { ...DESK_VALUES, ratings: 1234 },
  person: PERSON,
  collection: {
    id: '7',
    name: UNBREAKABLE,
    description: UNBREAKABLE,
    microgenres: ['dub', 'shoegaze'],
    owner: PERSON,
  },
}

const DESK_DECISION = {
  id: '5',
  steward: PERSON.name,
  subject: 'suggestion',
  subjectId: '7',
  label: `${LONG_SONG.title} by ${LONG_SONG.artist}`,
  action: 'approve',
  reason: null,
  changes: [{ field: 'title', before: UNBREAKABLE, after: `${UNBREAKABLE}!` }],
  undoes: null,
  batch: null,
  canUndo: true,
  createdAt: TIMESTAMP,
}

const atDesk = {
  'GET /api/desk/decisions': {
    json: [
      { ...DESK_DECISION, id: '6', action: 'undo', undoes: '1', changes: [] },
      DESK_DECISION,
      { ...DESK_DECISION, id: '4', action: 'reject', reason: UNBREAKABLE, changes: [], canUndo: false },
    ],
  },
  'POST /api/desk/decisions': { json: DESK_DECISION },
  'POST /api/desk/decisions/:id/undo': { json: { ...DESK_DECISION, id: '6', action: 'undo', undoes: '5' } },
  'POST /api/desk/suggesters/:id/approve': { json: { batch: '5', decided: 2, left: 0 } },
  'POST /api/desk/batches/:id/undo': { json: { batch: '8', decided: 2, left: 0 } },
}

const reasons = { person: 'hateful', collection: 'spam', song: 'wrong-microgenre' } as Record<string, string>

/** A case about this waits. */
function deskScreen(subject: keyof typeof SUBJECTS, name: string, actions: Screen['actions']): Screen {
  const reason = reasons[subject]
  const nothing = Object.fromEntries(Object.keys(SUBJECTS).map((other) => [other, null]))
  const about = {
    ...nothing,
    subject,
    subjectId: '7',
    votes: 12,
    since: TIMESTAMP,
    reasons: reason ? [{ reason, votes: 12 }] : [],
    [subject]: SUBJECTS[subject],
  }
  const waiting = { 'GET /api/desk/cases?offset': { json: { waiting: 31, cases: [about] } } }
  return { name, path: '/desk', instead: { ...atDesk, ...waiting }, actions }
}

export const desk: Screen[] = [
  deskScreen('suggestion', 'desk', [LOOK_ONLY, press('Approve'), press('Undo')]),
  deskScreen('suggestion', 'trusted listener', [press(/^Approve all/), press('Undo')]),
  deskScreen('suggestion', 'correction', [press('Correct'), LOOK_ONLY]),
  { ...deskScreen('suggestion', 'rejection', [press('Reject'), LOOK_ONLY]), isVariant: true },
  deskScreen('suggestion', 'trail', [press('Trail', 'tab'), LOOK_ONLY]),
  deskScreen('suggestion', 'merge', [
    press('Merge'),
    LOOK_ONLY,
    write('Artist and title', 'Slowdive Alison'),
  ]),
  deskScreen('microgenre', 'new microgenre', [LOOK_ONLY, press('Approve'), LOOK_ONLY]),
  deskScreen('video', 'case about a video', [LOOK_ONLY]),
  deskScreen('person', 'case about a person', [LOOK_ONLY]),
  { ...deskScreen('song', 'case about a song', [LOOK_ONLY]), isVariant: true },
  { ...deskScreen('collection', 'case about a collection', [LOOK_ONLY]), isVariant: true },
  {
    name: 'empty desk',
    isVariant: true,
    path: '/desk',
    instead: { ...atDesk, 'GET /api/desk/cases?offset': { json: { waiting: 0, cases: [] } } },
  },
]

const ACCOUNT = {
  id: '7',
  name: 'Ada Lovelace',
  email: 'a…a@example.org',
  createdAt: TIMESTAMP,
  lastSeenAt: TIMESTAMP,
  ratings: 1_234_567,
  sessions: 3,
  providers: ['google', 'oidc'],
  invitation: 'y'.repeat(100),
  isSteward: false,
  isOperator: false,
  suspendedAt: null,
}

const ACCOUNTS = [
  ACCOUNT,
  { ...ACCOUNT, id: '6', name: 'x'.repeat(100), email: null, providers: [], suspendedAt: TIMESTAMP },
  { ...ACCOUNT, id: '5', name: 'موسيقى', isOperator: true, isSteward: true, email: LONG_ADDRESS },
]

const INVITATION = {
  id: '9003',
  note: 'The choir',
  state: 'open',
  uses: 1,
  maxUses: 1000,
  createdAt: TIMESTAMP,
  expiresAt: TIMESTAMP,
}

const INVITATIONS = [
  INVITATION,
  { ...INVITATION, id: '9002', note: 'x'.repeat(100), state: 'expired' },
  { ...INVITATION, id: '9001', note: null, state: 'revoked' },
]

const REACHED_LIMIT = {
  id: 'x'.repeat(43),
  counts: 'previews',
  who: LONG_ADDRESS,
  used: 120,
  max: 120,
  until: TIMESTAMP,
}

const AUDIT_ENTRY = { subject: 'account', label: 'x'.repeat(100), action: 'suspend', createdAt: TIMESTAMP }

const atAdmin = {
  'GET /api/admin/accounts?search': { json: ACCOUNTS },
  'POST /api/admin/accounts/:id/email': { json: { email: 'ada@example.org' } },
  'POST /api/admin/accounts/:id/actions': { json: { ...ACCOUNT, suspendedAt: TIMESTAMP } },
  'DELETE /api/admin/accounts/:id': { json: { success: true } },
  'GET /api/admin/invitations': { json: { registration: 'invite', invitations: INVITATIONS } },
  'POST /api/admin/invitations': {
    json: { ...INVITATION, id: '9004', link: `https://bangers.example/invite/${'x'.repeat(43)}` },
  },
  'DELETE /api/admin/invitations/:id': { json: { ...INVITATION, state: 'revoked' } },
  'GET /api/admin/limits': {
    json: {
      limits: [{ name: 'preview', counts: 'previews', per: 'listener', max: 120, seconds: 60 }],
      quotas: {
        callsPerMinute: 1200,
        uploadBytes: 1e8,
        storedBytes: 1e9,
        suggestions: 20,
        suggestionsOfNew: 5,
      },
      searches: { used: 100, max: 100 },
      reached: [REACHED_LIMIT, { ...REACHED_LIMIT, id: 'b', who: 'all' }],
    },
  },
  'DELETE /api/admin/limits/:limit': { json: { success: true } },
  'GET /api/admin/jobs': {
    json: [
      {
        name: 'back up',
        running: false,
        nextRunAt: TIMESTAMP,
        succeededAt: null,
        duration: null,
        failures: 3,
        failedAt: TIMESTAMP,
        error: 'x'.repeat(300),
      },
    ],
  },
  'GET /api/admin/acts': {
    json: [
      { ...AUDIT_ENTRY, id: '9', by: 'y'.repeat(100), isCommand: false },
      { ...AUDIT_ENTRY, id: '8', by: null, isCommand: true },
    ],
  },
}

const admin: Screen[] = [
  {
    name: 'accounts',
    path: '/admin',
    instead: atAdmin,
    actions: [LOOK_ONLY, press('Manage Ada Lovelace'), press('Show address'), LOOK_ONLY, press('Suspend')],
  },
  {
    name: 'deletion of an account',
    path: '/admin',
    instead: atAdmin,
    actions: [
      press('Manage Ada Lovelace'),
      write('To delete it, type Ada Lovelace', 'Ada Lovelace'),
      press('Delete account'),
    ],
  },
  {
    name: 'invitations',
    path: '/admin',
    instead: atAdmin,
    actions: [press('Invitations', 'tab'), press('Make invitation'), LOOK_ONLY, press('Revoke The choir')],
  },
  {
    name: 'limits',
    path: '/admin',
    instead: atAdmin,
    actions: [press('Limits', 'tab'), LOOK_ONLY, press(/^Clear the limit of /)],
  },
  { name: 'jobs', path: '/admin', instead: atAdmin, actions: [press('Jobs', 'tab'), LOOK_ONLY] },
  { name: 'acts', path: '/admin', instead: atAdmin, actions: [press('Trail', 'tab'), LOOK_ONLY] },
]

const RECEIVED_FEEDBACK = { from: 'listener', createdAt: TIMESTAMP, mailed: false }

const COVERAGE = {
  songs: 1234,
  identified: 1234,
  withVideo: 0,
  withPreview: 600,
  withSpotify: 1,
  heardByNobody: 9,
}

const VERIFIED = {
  songId: '1',
  title: 'Acid Tracks',
  artist: 'Phuture',
  youtubeId: 'JCUPc9zVfyo',
  youtubeAccessible: true,
  youtubeTitle: 'Phuture - Acid Tracks',
  spotifyId: null,
  qualityScore: 64,
  titleMatch: true,
  artistMatch: true,
  error: null,
}

const UNVERIFIED = {
  ...VERIFIED,
  youtubeAccessible: false,
  youtubeTitle: null,
  qualityScore: null,
  titleMatch: false,
  artistMatch: false,
}

export const operators: Screen[] = [
  ...admin,
  {
    name: 'feedback that was received',
    path: '/feedback',
    instead: {
      'GET /api/feedback': {
        json: [
          { ...RECEIVED_FEEDBACK, id: '3', email: null, message: 'Louder.\n\nSlower.' },
          {
            ...RECEIVED_FEEDBACK,
            id: '2',
            from: 'visitor',
            email: LONG_ADDRESS,
            message: `${'word '.repeat(80)}${'x'.repeat(90)}`,
          },
          { ...RECEIVED_FEEDBACK, id: '1', email: 'a@b.example', message: 'موسيقى', mailed: true },
        ],
      },
    },
  },
  { name: 'no feedback', path: '/feedback', isVariant: true, instead: { 'GET /api/feedback': { json: [] } } },
  {
    name: 'coverage',
    path: '/coverage',
    instead: {
      'GET /api/debug/coverage': {
        json: {
          all: COVERAGE,
          videos: {
            unproven: 1,
            plays: 1,
            notEmbeddable: 0,
            gone: 0,
            checkedLately: 1,
            diedLately: 0,
            diedBefore: 0,
          },
          microgenres: LONG_MICROGENRES.map((microgenre) => ({ ...COVERAGE, microgenre })),
        },
      },
    },
  },
  {
    name: 'verification',
    path: '/verification',
    instead: {
      'POST /api/verify-youtube-batch': {
        json: {
          results: [
            VERIFIED,
            { ...UNVERIFIED, songId: '2', error: 'Embedding is off.' },
            { ...UNVERIFIED, songId: '3', youtubeId: null },
          ],
          stats: { total: 3, accessible: 1, blocked: 1, missing: 1, goodMatches: 0, poorMatches: 1 },
          progress: 100,
          currentBatch: 1,
          completed: true,
        },
      },
    },
    actions: [press('Start Verification'), LOOK_ONLY],
  },
  { name: 'authentication test', path: '/auth-test', actions: [press('Test User Creation'), LOOK_ONLY] },
  {
    name: 'playback diagnostic',
    path: '/youtube-optimization',
    instead: {
      'GET /api/debug/playback-health': { json: [BROKEN_VIDEO] },
      'POST /api/debug/playback-health/:songId/verify': {
        json: { embeddable: false, error: 'Embedding is off.' },
      },
    },
    actions: [LOOK_ONLY, press(/^Verify again/)],
  },
  {
    name: 'checks of playback',
    path: '/youtube-optimization',
    actions: [press('Run Checks'), press('Test Preview Availability'), LOOK_ONLY],
  },
  {
    name: 'search for a replacement',
    path: '/youtube-optimization',
    actions: [write('Artist', 'Slowdive'), write('Title', 'Alison'), press('Find Replacement')],
  },
  {
    name: 'search at Spotify',
    path: '/youtube-optimization',
    actions: [
      press('Spotify Search', 'tab'),
      write('Artist', 'Slowdive'),
      write('Title', 'Alison'),
      press('Search Spotify'),
    ],
  },
  {
    name: 'check of a video',
    path: '/youtube-optimization',
    actions: [
      press('Verify Video', 'tab'),
      write('Video ID', 'JCUPc9zVfyo'),
      press('Verify Video'),
      LOOK_ONLY,
    ],
  },
]
