import { listenerTablesThat } from '../tables/listenerTables.ts'

/* Where tables and functions are on a cluster of PostgreSQL with Citus: docs/decisions/0024. */

/** Spread over the workers by `user_id`: all rows of a listener are on one worker. */
export const SPREAD_TABLES = listenerTablesThat('isSpread')

/** Whole on every node, because a listener's call reads them. Referenced ones first. */
export const COPIED_TABLES = [
  'microgenres',
  'songs',
  'achievement_rules',
  'song_totals',
  'microgenre_totals',
  'song_traits',
] as const

/** Functions that touch one listener, named by the first argument: the listener's worker runs the whole call. */
export const DELEGATED_FUNCTIONS = [
  'rate_song_v5',
  'next_songs_v4',
  'not_now_v3',
  'take_back_not_now_v1',
  'unrate_song_v2',
  'restart_microgenre_v1',
  'rating_figures_v2',
] as const

/** Functions of the totals of all listeners, which only the coordinator runs. All others are on every node. */
export const COORDINATOR_FUNCTIONS = [
  'fold_changes_v1',
  'fold_changes_v2',
  'move_windows_v2',
  'roll_up_v1',
] as const
