interface ListenerTable {
  /** Spread over the workers of a cluster by `user_id` (docs/decisions/0024): all rows of a listener are on one. */
  isSpread: boolean
  /** Its rows go with the account; those of the others are let go by what reads them. */
  isDeleted: boolean
  /** Where its rows are in the download of a listener's data, or why they are not. */
  download: string | { omittedBecause: string }
}

/**
 * Tables of listeners' rows, from which no foreign key leads to the account. What each needs follows from here: deletion
 * of the account, download, and spreading, the first one first.
 */
export const LISTENER_TABLES = {
  listener_stats: { isSpread: true, isDeleted: true, download: 'figures' },
  listener_genres: { isSpread: true, isDeleted: true, download: 'microgenres' },
  listener_hands: {
    isSpread: true,
    isDeleted: true,
    download: {
      omittedBecause:
        'songs that may come next: chance and all listeners together chose them; how they were dealt is with the ratings',
    },
  },
  ratings: { isSpread: true, isDeleted: true, download: 'ratings' },
  undone_ratings: {
    isSpread: true,
    isDeleted: true,
    download: {
      omittedBecause: 'for a week, that the rating of a song was removed, so that open pages follow',
    },
  },
  not_now: { isSpread: true, isDeleted: true, download: 'notNow' },
  listening_progress: { isSpread: true, isDeleted: true, download: 'progress' },
  achievements: { isSpread: true, isDeleted: true, download: 'achievements' },
  rating_changes: {
    isSpread: true,
    isDeleted: false,
    download: {
      omittedBecause: 'a queue: a second later it is empty, and the ratings themselves are in the download',
    },
  },
  listener_last_days: { isSpread: true, isDeleted: false, download: 'figures' },
  playback_reports: { isSpread: false, isDeleted: true, download: 'playbackReports' },
} as const satisfies Record<string, ListenerTable>

type ListenerTableName = keyof typeof LISTENER_TABLES

/** The tables with this mark, in order. */
export const listenerTablesThat = (flag: 'isSpread' | 'isDeleted') =>
  (Object.keys(LISTENER_TABLES) as ListenerTableName[]).filter((name) => LISTENER_TABLES[name][flag]) as [
    ListenerTableName,
    ...ListenerTableName[],
  ]
