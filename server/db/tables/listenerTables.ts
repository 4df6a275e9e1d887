interface ListenerTable {
  /** Whether a cluster distributes it by `user_id` (docs/decisions/0024): a listener's rows are on one worker. */
  isDistributed: boolean
  /** Whether the deletion of an account deletes its rows by `user_id`. */
  isDeleted: boolean
  /** Where its rows are in the download of a listener's data, or why they are not in it. */
  download: string | { omittedBecause: string }
}

/**
 * Every table with rows of a listener. Deletion of the account, the download and distribution (in this order) follow from
 * here. Those with `isDistributed` or `isDeleted` have no foreign key to the account; rows of directory tables are deleted with
 * it by theirs.
 */
export const LISTENER_TABLES = {
  listener_stats: { isDistributed: true, isDeleted: true, download: 'figures' },
  listener_genres: { isDistributed: true, isDeleted: true, download: 'microgenres' },
  listener_hands: { isDistributed: true, isDeleted: true, download: 'hands' },
  ratings: { isDistributed: true, isDeleted: true, download: 'ratings' },
  undone_ratings: { isDistributed: true, isDeleted: true, download: 'undoneRatings' },
  known_songs: { isDistributed: true, isDeleted: true, download: 'knownSongs' },
  not_now: { isDistributed: true, isDeleted: true, download: 'notNow' },
  listening_progress: { isDistributed: true, isDeleted: true, download: 'progress' },
  achievements: { isDistributed: true, isDeleted: true, download: 'achievements' },
  rating_changes: {
    isDistributed: true,
    isDeleted: false,
    download: {
      omittedBecause: 'a queue: a second later it is empty, and the ratings themselves are in the download',
    },
  },
  listener_last_days: { isDistributed: true, isDeleted: false, download: 'figures' },
  playback_reports: { isDistributed: false, isDeleted: true, download: 'playbackReports' },
  users: { isDistributed: false, isDeleted: false, download: 'profile' },
  preferences: { isDistributed: false, isDeleted: false, download: 'questionnaire' },
  identities: { isDistributed: false, isDeleted: false, download: 'providers' },
  listenbrainz_links: { isDistributed: false, isDeleted: false, download: 'listenbrainz' },
  listenbrainz_sent: { isDistributed: false, isDeleted: false, download: 'listenbrainz' },
  passkeys: { isDistributed: false, isDeleted: false, download: 'passkeys' },
  api_tokens: { isDistributed: false, isDeleted: false, download: 'apiTokens' },
  provider_pictures: { isDistributed: false, isDeleted: false, download: 'providerPicture' },
  share_tokens: { isDistributed: false, isDeleted: false, download: 'collections' },
  collections: { isDistributed: false, isDeleted: false, download: 'collections' },
  collection_items: { isDistributed: false, isDeleted: false, download: 'collections' },
  mixes: { isDistributed: false, isDeleted: false, download: 'mixes' },
  blind_rounds: { isDistributed: false, isDeleted: false, download: 'blindRound' },
  follows: { isDistributed: false, isDeleted: false, download: 'following' },
  follow_counts: { isDistributed: false, isDeleted: false, download: 'profile' },
  deleted_accounts: {
    isDistributed: false,
    isDeleted: false,
    download: { omittedBecause: 'the number of an account that is gone, until its follows are' },
  },
  feedback: { isDistributed: false, isDeleted: false, download: 'feedback' },
  suggestion_votes: { isDistributed: false, isDeleted: false, download: 'suggestions' },
  reports: { isDistributed: false, isDeleted: false, download: 'reports' },
  decisions: { isDistributed: false, isDeleted: false, download: 'decisions' },
  sessions: { isDistributed: false, isDeleted: false, download: 'sessions' },
  imports: { isDistributed: false, isDeleted: false, download: 'imports' },
  import_songs: { isDistributed: false, isDeleted: false, download: 'importedSongs' },
  uploads: { isDistributed: false, isDeleted: false, download: 'uploads' },
  sign_in_tokens: {
    isDistributed: false,
    isDeleted: false,
    download: {
      omittedBecause: 'hashes of links and codes that worked for 15 minutes; the address is in the profile',
    },
  },
} as const satisfies Record<string, ListenerTable>

type Tables = typeof LISTENER_TABLES
type Flag = 'isDistributed' | 'isDeleted'
type TableWith<F extends Flag> = {
  [Name in keyof Tables]: Tables[Name][F] extends true ? Name : never
}[keyof Tables]

/** The tables with this flag, in the order of the list. */
export const listenerTablesThat = <F extends Flag>(flag: F) =>
  Object.entries(LISTENER_TABLES).flatMap(([name, table]) => (table[flag] ? [name] : [])) as [
    TableWith<F>,
    ...TableWith<F>[],
  ]
