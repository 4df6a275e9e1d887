import type { Locator, Page } from '@playwright/test'
import { makeSong } from '../../makeSong.ts'

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
  /** Actions that open the screen from its path, then use it. */
  actions?: Action[]
  /** Responses that lead to the screen. */
  instead?: Record<string, { status?: number; json: unknown }>
}

const click = (target: Locator) => target.click({ timeout: 5000 })

const press = (name: string | RegExp, role: 'button' | 'tab' = 'button'): Action => ({
  target: (page) => page.getByRole(role, { name, exact: true }).first(),
  run: click,
})

const write = (label: string, text: string): Action => ({
  target: (page) => page.getByLabel(label, { exact: true }),
  run: (field) => field.fill(text),
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

export const signedOut = (shared: { collection: string; achievement: string }): Screen[] => [
  { name: 'landing', path: '/' },
  {
    name: 'sign-in',
    path: '/login',
    actions: [
      press('Continue with e-mail'),
      write('E-mail', 'somebody@example.org'),
      press('Send magic link'),
    ],
  },
  { name: 'sign-in with a passkey', path: '/auth', actions: [press('Sign in with a passkey')] },
  { name: 'sign-in at any other address', path: '/no-such-page' },
  {
    name: 'privacy',
    path: '/privacy',
    instead: { 'POST /api/contact/operator': { json: { message: 'Thank you for your feedback.' } } },
    actions: [write('Email', 'me@example.org'), write('Message', 'Hello'), press('Send message')],
  },
  { name: 'how fairly songs are heard', path: '/fairness' },
  {
    name: 'invitation',
    path: '/invite/pQ7x0bq1Zk3m5n9r2t4v6y8A1C3E5G7I9K1M3O5Q7S0',
    instead: {
      'POST /api/auth/invitation': {
        json: {
          state: 'open',
          expiresAt: '2026-03-04T05:06:07.000Z',
          registration: 'invite',
          isSignedIn: false,
        },
      },
    },
  },
  { name: 'shared collection', path: shared.collection },
  { name: 'shared achievement', path: shared.achievement },
]

const SUGGESTION = {
  id: '7',
  title: 'Alison',
  artist: 'Slowdive',
  year: null,
  microgenreId: '1',
  microgenre: 'shoegaze',
  address: null,
  state: 'waiting',
  reason: null,
  votes: 1,
  song: null,
  createdAt: '2026-03-04T05:06:07.000Z',
  decidedAt: null,
}

const PASSKEY = { id: '7', name: 'Phone', createdAt: '2026-03-04T05:06:07.000Z', lastUsedAt: null }

/** What an address named, with title and artist. */
const RECOGNISED = {
  service: 'youtube',
  address: 'https://www.youtube.com/watch?v=JCUPc9zVfyo',
  title: 'Acid Tracks',
  artist: 'Phuture',
  year: null,
  message: null,
  known: null,
  votes: 0,
}

export const player: Screen[] = [
  { name: 'player', path: '/' },
  { name: 'player on a phone', path: '/', phone: true },
  { name: 'picker', path: '/', actions: [press(/^Currently listening to /)] },
  {
    name: 'why this song',
    path: '/',
    instead: { 'GET /api/microgenres/:id/next-song?_t': { json: makeSong('7', { reason: 'taste' }) } },
    actions: [press('Fits what you banged before')],
  },
  { name: 'rating and undo', path: '/', actions: [press('BANGER'), press('Undo')] },
  { name: 'not now and undo', path: '/', actions: [press('Not now'), press('Undo')] },
  {
    name: 'own suggestions',
    path: '/',
    instead: {
      'GET /api/suggestions': { json: { suggestions: [SUGGESTION], left: 4 } },
      'DELETE /api/suggestions/:id': { json: { success: true } },
    },
    actions: [
      press(/^Currently listening to /),
      press('Suggest a song'),
      press(/^Yours/, 'tab'),
      press('Take back: Alison'),
    ],
  },
  {
    name: 'suggestion by words',
    path: '/',
    actions: [
      press(/^Currently listening to /),
      press('Suggest a song'),
      write(FIND_SONG, 'Slowdive Alison'),
      firstRow,
      press('Suggest it'),
    ],
  },
  {
    name: 'suggestion by address',
    path: '/',
    instead: { 'POST /api/suggestions/recognise': { json: RECOGNISED } },
    actions: [
      press(/^Currently listening to /),
      press('Suggest a song'),
      write(FIND_SONG, 'https://youtu.be/JCUPc9zVfyo'),
    ],
  },
  {
    name: 'report of a song',
    path: '/',
    instead: { 'DELETE /api/reports/:id': { json: { success: true } } },
    actions: [press('Hear it elsewhere'), press('Does not play'), undoReport],
  },
  {
    name: 'feedback',
    path: '/',
    actions: [
      press('Thoughts?'),
      write('Email', 'me@example.org'),
      write('Message', 'Hello'),
      press(/^Send/),
    ],
  },
  {
    name: 'completion',
    path: '/',
    instead: { 'GET /api/microgenres/:id/next-song?_t': { status: 404, json: { message: 'No more songs' } } },
    actions: [press('Restart This Microgenre')],
  },
  {
    name: 'questionnaire',
    path: '/',
    instead: { 'GET /api/users/me/preferences': { json: null } },
    actions: [
      ...['Slow', 'Both', 'Indie', 'Ambient'].map((answer) => press(new RegExp(`^${answer}`))),
      press('Save & Start Exploring'),
    ],
  },
]

const MAPPED = {
  id: '1',
  name: 'acid house',
  family: 'electronic',
  description: 'A Roland TB-303 squelches.',
  color: '#938920',
  songCount: 30,
  x: 0,
  y: 0,
  ratings: 2,
  bangers: 1,
}

export const sections: Screen[] = [
  { name: 'library', path: '/', actions: [press(/^My Library/)] },
  {
    name: 'removal from the library',
    path: '/',
    instead: { 'DELETE /api/users/me/ratings/:songId': { json: { success: true } } },
    actions: [press(/^My Library/), press(/^Remove from library: /), press('Dismiss')],
  },
  {
    name: 'collection',
    path: '/',
    actions: [
      press(/^My Library/),
      press('Share Collection'),
      write('Name', 'Night buses'),
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
      firstRow,
      press('Save'),
      press('Share'),
      press('End the link'),
      press('Delete collection'),
      press('Delete'),
    ],
  },
  { name: 'community', path: '/', actions: [press(/^Community/)] },
  { name: 'achievement', path: '/', actions: [press(/^Community/), press(/^Share First Banger/)] },
  { name: 'people', path: '/', actions: [press('Discover Music Explorers')] },
  {
    name: "somebody's followers",
    path: '/',
    actions: [press('Discover Music Explorers'), firstRow, press(/ followers?$/)],
  },
  { name: 'whom one follows', path: '/', actions: [press('Your profile'), press(/ following$/)] },
  {
    name: "somebody's profile",
    path: '/',
    actions: [press('Discover Music Explorers'), firstRow, press('Follow'), press('Following')],
  },
  {
    name: 'report of a profile',
    path: '/',
    actions: [press('Discover Music Explorers'), firstRow, press('Report this profile'), press('Hateful')],
  },
  { name: 'own profile', path: '/', actions: [press('Your profile'), write('Bio', 'Oud'), press(/^Save/)] },
  {
    name: 'profile page',
    path: '/profile',
    actions: [press(/^Sign out .+ on /)],
  },
  // First, because the device is told silently after a removal, with the same call.
  { name: 'adding a passkey', path: '/profile', actions: [press('Add a passkey')] },
  {
    name: 'passkeys',
    path: '/profile',
    instead: {
      'GET /api/auth/passkeys': { json: [PASSKEY] },
      'PUT /api/auth/passkeys/:id': { json: PASSKEY },
      'DELETE /api/auth/passkeys/:id': { json: { success: true } },
    },
    actions: [
      press('Rename Phone'),
      write('Name of the passkey', 'Tablet'),
      press('Save'),
      press('Remove Phone'),
      press('Remove'),
    ],
  },
  {
    name: 'map of microgenres',
    path: '/microgenres',
    instead: { 'GET /api/microgenres/map': { json: [MAPPED] } },
    actions: [press(/^acid house, /), press('Hear a song'), press('Share')],
  },
  { name: 'achievements', path: '/profile', actions: [press(/^Achievements/, 'tab')] },
  { name: 'photo', path: '/profile', actions: [press('Change photo')] },
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
    actions: [press('Delete my account'), confirmDeletion, press('Delete my account')],
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
  lastReportedAt: '2026-03-04T05:06:07.000Z',
}

const DESK_VALUES = {
  id: '7',
  title: 'Alison',
  artist: 'Slowdive',
  year: null,
  microgenreId: '1',
  microgenre: 'shoegaze',
  color: '#778899',
  albumArt: null,
  youtubeId: null,
  spotifyId: null,
  deezerTrackId: null,
  recordingMbid: null,
}

/** A suggestion of a trusted listener at the desk. */
const DESK_CASE = {
  subject: 'suggestion',
  subjectId: '7',
  votes: 1,
  since: '2026-03-04T05:06:07.000Z',
  reasons: [],
  suggestion: {
    ...DESK_VALUES,
    state: 'waiting',
    address: null,
    service: null,
    suggester: { id: '9', name: 'Ada', isTrusted: true, waiting: 2 },
    foundScore: null,
    alike: [],
  },
  video: null,
  microgenre: null,
  song: null,
  person: null,
  collection: null,
}

const DECISION = {
  id: '5',
  steward: 'Bob',
  subject: 'suggestion',
  subjectId: '7',
  label: 'Alison by Slowdive',
  action: 'approve',
  reason: null,
  changes: [],
  undoes: null,
  batch: null,
  canUndo: true,
  createdAt: '2026-03-04T05:06:07.000Z',
}

const atDesk = {
  'GET /api/desk/cases?offset': { json: { waiting: 1, cases: [DESK_CASE] } },
  'GET /api/desk/decisions': { json: [DECISION] },
  'POST /api/desk/decisions': { json: DECISION },
  'POST /api/desk/decisions/:id/undo': { json: { ...DECISION, id: '6', action: 'undo', undoes: '5' } },
  'POST /api/desk/suggesters/:id/approve': { json: { batch: '5', decided: 2, left: 0 } },
  'POST /api/desk/batches/:id/undo': { json: { batch: '8', decided: 2, left: 0 } },
}

export const desk: Screen[] = [
  { name: 'desk', path: '/desk', instead: atDesk, actions: [press('Approve'), press('Undo')] },
  {
    name: 'trusted listener',
    path: '/desk',
    instead: atDesk,
    actions: [press(/^Approve all/), press('Undo')],
  },
  { name: 'correction', path: '/desk', instead: atDesk, actions: [press('Correct')] },
  { name: 'trail', path: '/desk', instead: atDesk, actions: [press('Trail', 'tab')] },
  {
    name: 'merge',
    path: '/desk',
    instead: atDesk,
    actions: [press('Merge'), write('Artist and title', 'Slowdive Alison')],
  },
]

const ACCOUNT = {
  id: '7',
  name: 'Ada Lovelace',
  email: 'a…a@example.org',
  createdAt: '2026-03-04T05:06:07.000Z',
  lastSeenAt: null,
  ratings: 12,
  sessions: 1,
  providers: ['google'],
  invitation: 'The choir',
  isSteward: false,
  isOperator: false,
  suspendedAt: null,
}

const INVITATION = {
  id: '3',
  note: 'The choir',
  state: 'open',
  uses: 1,
  maxUses: 20,
  createdAt: '2026-03-04T05:06:07.000Z',
  expiresAt: '2026-03-18T05:06:07.000Z',
}

const REACHED = {
  id: 'x'.repeat(43),
  counts: 'previews',
  who: 'Ada Lovelace',
  used: 120,
  max: 120,
  until: '2026-03-04T05:06:07.000Z',
}

const atAdmin = {
  'GET /api/admin/accounts?search': { json: [ACCOUNT] },
  'POST /api/admin/accounts/:id/email': { json: { email: 'ada@example.org' } },
  'POST /api/admin/accounts/:id/actions': { json: { ...ACCOUNT, suspendedAt: ACCOUNT.createdAt } },
  'DELETE /api/admin/accounts/:id': { json: { success: true } },
  'GET /api/admin/invitations': { json: { registration: 'invite', invitations: [INVITATION] } },
  'POST /api/admin/invitations': { json: { ...INVITATION, link: 'https://bangers.example/invite/x' } },
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
      reached: [REACHED],
    },
  },
  'DELETE /api/admin/limits/:limit': { json: { success: true } },
  'GET /api/admin/acts': {
    json: [
      {
        id: '9',
        by: 'Ada',
        isCommand: false,
        subject: 'account',
        label: 'Bob',
        action: 'suspend',
        createdAt: '2026-03-04T05:06:07.000Z',
      },
    ],
  },
}

const admin: Screen[] = [
  {
    name: 'accounts',
    path: '/admin',
    instead: atAdmin,
    actions: [press('Manage Ada Lovelace'), press('Show address'), press('Suspend')],
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
    actions: [press('Invitations', 'tab'), press('Make invitation'), press('Revoke The choir')],
  },
  {
    name: 'limits',
    path: '/admin',
    instead: atAdmin,
    actions: [press('Limits', 'tab'), press(/^Clear the limit of /)],
  },
  { name: 'acts', path: '/admin', instead: atAdmin, actions: [press('Trail', 'tab')] },
]

export const operators: Screen[] = [
  ...admin,
  { name: 'feedback that was received', path: '/feedback' },
  { name: 'coverage', path: '/coverage' },
  { name: 'verification', path: '/verification', actions: [press('Start Verification')] },
  { name: 'authentication test', path: '/auth-test', actions: [press('Test User Creation')] },
  {
    name: 'playback diagnostic',
    path: '/youtube-optimization',
    instead: {
      'GET /api/debug/playback-health': { json: [BROKEN_VIDEO] },
      'POST /api/debug/playback-health/:songId/verify': {
        json: { embeddable: false, error: 'Embedding is off.' },
      },
    },
    actions: [press(/^Verify again/)],
  },
  {
    name: 'checks of playback',
    path: '/youtube-optimization',
    actions: [press('Run Checks'), press('Test Preview Availability')],
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
    actions: [press('Verify Video', 'tab'), write('Video ID', 'JCUPc9zVfyo'), press('Verify Video')],
  },
]
