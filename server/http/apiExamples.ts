const SONG = {
  id: '1207',
  title: 'Soon',
  artist: 'My Bloody Valentine',
  year: 1990,
  albumArt: 'https://i.ytimg.com/vi/a1b2c3d4e5f/hqdefault.jpg',
  youtubeId: 'a1b2c3d4e5f',
  youtubeBlocked: false,
  spotifyId: null,
  deezerId: null,
  deezerTrackId: null,
  duration: 418,
  microgenre: 'Shoegaze',
  microgenreId: '41',
  color: '#c45b7c',
}

const PROFILE = {
  id: '7',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: null,
  profileImageUrl: '/photos/7-3f9c-192.webp',
  bio: 'Mostly drones.',
  isPublic: true,
  createdAt: '2026-03-01T18:22:05.000Z',
  followerCount: 12,
  followingCount: 3,
}

const OWN_PROFILE = {
  ...PROFILE,
  email: 'ada@example.com',
  showEmail: false,
  emailOptOut: false,
  startAtHook: false,
}

/** Examples of responses, by the name of their shape in the contract. A test validates them. */
export const SHAPE_EXAMPLES: Record<string, unknown> = {
  Message: { message: 'Please sign in.' },
  Done: { success: true },
  Id: '1207',
  Song: SONG,
  Prefetch: { prefetch: true, songs: [SONG] },
  RatedSong: { id: '1207', rating: 'banger', createdAt: '2026-03-02T20:14:51.000Z', song: SONG },
  Microgenre: {
    id: '41',
    name: 'Shoegaze',
    description: 'Guitars as weather, voices as one more layer.',
    color: '#c45b7c',
    bangerCount: 5120,
    songCount: 22,
  },
  Achievement: {
    id: '93',
    type: 'microgenre_master',
    metadata: { microgenreName: 'Shoegaze' },
    createdAt: '2026-03-02T20:14:51.000Z',
  },
  AchievementProgress: { type: 'streak_25', count: 18, threshold: 25, microgenreName: null },
  ListenerStats: { totalBangers: 61, totalRatings: 148, favoriteMicrogenre: 'Shoegaze' },
  Room: { listeners: 48, bangers: 30 },
  Agreement: { month: '2026-03', songs: 42, agreed: 30 },
  FollowStatus: { isFollowing: true, followerCount: 12, followingCount: 3 },
  Profile: PROFILE,
  ReceivedFeedback: {
    id: '12',
    from: 'listener',
    email: 'ada@example.com',
    message: 'More drones, please.',
    createdAt: '2026-03-02T20:14:51.000Z',
    mailed: false,
  },
  Person: { ...PROFILE, isFollowing: true },
  ListedFollow: {
    id: '7',
    profile: PROFILE,
    isFollowing: true,
    followedAt: null,
  },
  CurrentUser: OWN_PROFILE,
  SignedInUser: { ...OWN_PROFILE, maySeeDiagnostics: false },
}

/** Examples of bodies, by the name of the call in the contract. A test validates them. */
export const BODY_EXAMPLES: Record<string, Record<string, unknown>> = {
  sendMagicLink: { email: 'ada@example.com' },
  rateAndAdvance: { microgenreId: '41', songId: '1207', rating: 'banger' },
  reportProgress: { songId: '1207', secondsListened: 65, totalDuration: 418 },
  contactOperator: { email: 'ada@example.com', message: 'Which data do you keep about me?' },
  sendFeedback: { email: 'ada@example.com', message: 'More drones, please.' },
  updateProfile: { bio: 'Mostly drones.', isPublic: true },
  deleteAccount: { confirmation: 'ada@example.com' },
  createCollection: { name: 'Late nights', description: 'For after midnight.', isPublic: true },
  updateCollection: { name: 'Night buses', microgenreIds: ['41', '7'] },
  addCollectionItem: { microgenreId: '41' },
  savePreferences: {
    energyPreference: 'slow',
    vocalPreference: 'both',
    familiarityLevel: 'obscure',
    musicMood: 'ambient',
  },
  setPhoto: { photoURL: 'photos/7/5b0c2f1e.jpg' },
  reportPlayback: {
    reports: [{ songId: '1207', videoId: 'a1b2c3d4e5f', outcome: 'ready', previewUsed: false }],
  },
  requestPhotoUpload: { filename: 'me.jpg', type: 'image/jpeg', size: 240000 },
  createMultipart: { filename: 'set.wav', type: 'audio/wav', size: 160000000 },
  completeMultipart: { parts: [{ PartNumber: 1, ETag: '"9b2cf535f27731c974343645a3985328"' }] },
  findReplacement: { artist: 'My Bloody Valentine', title: 'Soon' },
  verifyBatch: { batchSize: 20, offset: 0 },
}
