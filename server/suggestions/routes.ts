import * as contract from '../../contract/suggestions.ts'
import type { Context } from '../context.ts'
import { defineLimit, enforceLimit } from '../http/limits/limits.ts'
import { type Route, route } from '../http/route.ts'
import { LOOKUPS } from '../playback/preview.ts'
import { countSuggestionsLeft, makeSuggestion, withdrawVote } from './makeSuggestion.ts'
import { recogniseAddress } from './recogniseAddress.ts'
import { searchSongs } from './searchSongs.ts'
import { listOwnSuggestions } from './suggestions.ts'

/** Also counts those that are refused. */
const SUGGESTION_ATTEMPTS = defineLimit({
  name: 'suggestions',
  max: 60,
  seconds: 3600,
  message: 'You have tried to suggest too many songs. Please wait an hour.',
  counts: 'tries to suggest a song',
  per: 'listener',
})

export const suggestionRoutes: Route<Context>[] = [
  route(contract.recogniseSong, async ({ user, body }, context: Context) => {
    await enforceLimit(context.db, LOOKUPS, user.id)
    return recogniseAddress(context, body.address)
  }),

  route(contract.searchSongs, async ({ user, query }, context: Context) => {
    await enforceLimit(context.db, LOOKUPS, user.id)
    return searchSongs(context, query.words)
  }),

  route(contract.suggestSong, async ({ user, body }, { db, env }: Context) => {
    await enforceLimit(db, SUGGESTION_ATTEMPTS, user.id)
    return makeSuggestion(db, env, user.id, body)
  }),

  route(contract.listSuggestions, async ({ user }, { db, env }: Context) => ({
    suggestions: await listOwnSuggestions(db, env, user.id),
    left: await countSuggestionsLeft(db, user.id),
  })),

  route(contract.withdrawSuggestion, ({ user, params }, { db }: Context) =>
    withdrawVote(db, user.id, params.id),
  ),
]
