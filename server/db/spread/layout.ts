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
  'rate_song',
  'next_songs',
  'say_not_now',
  'take_back_not_now',
  'unrate_song',
  'restart_microgenre',
  'rating_figures',
] as const

/** Functions of the totals of all listeners, which only the coordinator runs. All others are on every node. */
export const COORDINATOR_FUNCTIONS = ['fold_changes', 'move_windows'] as const
