import * as z from 'zod/mini'
import { CurrentUser, SongChoice } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { DailyStats, Id, IdParams, Moment, PageCursor, Success, TimeZone } from './shapes.ts'
import { Line, Lines, maxCharacters } from './texts.ts'

/** Characters of a bio (people-6). */
export const MAX_BIO_LENGTH = 280

/** Characters of a first or last name. */
export const MAX_NAME_LENGTH = 60

/** Listeners per response. */
export const MAX_PUBLIC_USERS = 200

/** Followers, or followed listeners, per response. */
export const FOLLOWS_PAGE_SIZE = 100

/** Formats of the ratings export (people-18). JSPF contains bangers only. */
export const ExportFormat = z.enum(['json', 'csv', 'jspf'])
export type ExportFormat = z.infer<typeof ExportFormat>

export const ListenerStats = z.object({
  totalBangers: z.int(),
  totalRatings: z.int(),
  favoriteMicrogenre: z.nullable(z.string()),
})
export type ListenerStats = z.infer<typeof ListenerStats>

/** The ratings of one month, `2026-11`, against those of all listeners. */
export const Agreement = z.object({ month: z.string(), songs: z.int(), agreed: z.int() })
export type Agreement = z.infer<typeof Agreement>

/** A listener as others see them. `email` is null unless its owner opted in (people-3). */
export const Profile = z.object({
  id: Id,
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  isPublic: z.boolean(),
  createdAt: Moment,
  followerCount: z.int(),
  followingCount: z.int(),
})
export type Profile = z.infer<typeof Profile>

/** A listener in a list of people. */
export const Person = z.extend(Profile, { isFollowing: z.boolean() })
export type Person = z.infer<typeof Person>

export const FollowListEntry = z.object({
  id: Id,
  /** Null for a listener who is private now; only who follows them has such an entry (people-27). */
  profile: z.nullable(Profile),
  /** Whether the caller follows this listener. */
  isFollowing: z.boolean(),
  /** Since when, where there is no profile. */
  followedAt: z.nullable(Moment),
})
export type FollowListEntry = z.infer<typeof FollowListEntry>

export const FollowStatus = z.object({
  isFollowing: z.boolean(),
  followerCount: z.int(),
  followingCount: z.int(),
})
export type FollowStatus = z.infer<typeof FollowStatus>

const Name = z.nullable(Line.check(maxCharacters(MAX_NAME_LENGTH)))

export const getProfile = endpoint('GET /api/users/:id/profile', {
  params: IdParams,
  access: 'signed-in',
  summary: 'A public profile or the caller’s; 404 for all others (people-2).',
  response: Profile,
})

export const updateProfile = endpoint('PUT /api/users/me/profile', {
  access: 'signed-in',
  summary: 'Changes the caller’s profile. Omitted fields stay as they are.',
  body: z.object({
    bio: z.optional(z.nullable(Lines.check(maxCharacters(MAX_BIO_LENGTH)))),
    isPublic: z.optional(z.boolean()),
    showEmail: z.optional(z.boolean()),
    emailOptOut: z.optional(z.boolean()),
    startAtHook: z.optional(z.boolean()),
    earFirst: z.optional(z.boolean()),
    songChoice: z.optional(SongChoice),
    firstName: z.optional(Name),
    lastName: z.optional(Name),
  }),
  response: CurrentUser,
})

export const listPublicUsers = endpoint('GET /api/users/discover', {
  access: 'signed-in',
  summary:
    'Public listeners except the caller, most followed first, at most 200. `search` searches all of them.',
  query: z.object({ search: z.optional(z.string().check(z.trim(), z.maxLength(100, 'is too long'))) }),
  response: z.array(Person),
})

export const getFollowStatus = endpoint('GET /api/users/:id/follow-status', {
  params: IdParams,
  access: 'signed-in',
  summary:
    'Whether the caller follows a listener. Followers of a listener who became private still get an answer (people-2).',
  response: FollowStatus,
})

export const follow = endpoint('POST /api/users/:id/follow', {
  params: IdParams,
  access: 'signed-in',
  summary: 'Follows a public listener. Repeating it changes nothing; following oneself is 400 (people-9).',
  response: FollowStatus,
})

export const unfollow = endpoint('DELETE /api/users/:id/follow', {
  params: IdParams,
  access: 'signed-in',
  summary: 'Unfollows a listener, also one who became private (people-9).',
  response: FollowStatus,
})

export const listFollowers = endpoint('GET /api/users/:id/followers', {
  params: IdParams,
  access: 'signed-in',
  summary:
    'Who follows a public listener, or the caller, newest first: those who are public (people-27). At most 100; ' +
    '`Link` names the next page.',
  query: z.object({ after: z.optional(PageCursor) }),
  response: z.array(FollowListEntry),
})

export const listFollowing = endpoint('GET /api/users/:id/following', {
  params: IdParams,
  access: 'signed-in',
  summary:
    'Whom a public listener, or the caller, follows, newest first. In the own list a listener who became private ' +
    'has no profile (people-27). At most 100; `Link` names the next page.',
  query: z.object({ after: z.optional(PageCursor) }),
  response: z.array(FollowListEntry),
})

export const getMyStats = endpoint('GET /api/users/me/stats', {
  access: 'signed-in',
  scope: 'read',
  summary: "The caller's totals, always up to date.",
  response: ListenerStats,
})

export const getUserStats = endpoint('GET /api/users/:id/stats', {
  params: IdParams,
  access: 'signed-in',
  summary: 'The totals of a public listener or of the caller.',
  response: ListenerStats,
})

export const getDailyStats = endpoint('GET /api/users/me/stats/daily', {
  access: 'signed-in',
  summary:
    "The ratings of today, in the listener's time zone, and the seconds until its midnight (discover-17).",
  query: z.object({ tz: z.optional(TimeZone) }),
  response: z.extend(DailyStats, { secondsLeft: z.int() }),
})

export const getAgreement = endpoint('GET /api/users/me/stats/agreement', {
  access: 'signed-in',
  summary:
    "By month of the listener's time zone, the last twelve, oldest first: how many of the rated songs have a majority " +
    'and how often the listener agrees with it (people-30).',
  query: z.object({ tz: z.optional(TimeZone) }),
  response: z.array(Agreement),
})

export const exportRatings = endpoint('GET /api/users/me/export', {
  access: 'signed-in',
  scope: 'export',
  isStable: true,
  summary: 'All ratings of the listener, as a download (people-18).',
  query: z.object({ format: z._default(ExportFormat, 'json') }),
  answers: 'file',
})

export const exportData = endpoint('GET /api/users/me/data', {
  access: 'signed-in',
  summary: 'Everything stored about the listener, as one JSON file (people-23).',
  answers: 'file',
})

export const deleteAccount = endpoint('DELETE /api/users/me', {
  access: 'signed-in',
  summary:
    'Deletes the account with all its data. `confirmation` is its e-mail, or DELETE if it has none (people-18).',
  body: z.object({ confirmation: z.string().check(z.trim(), z.maxLength(254)) }),
  response: Success,
  // Ratings and imports go in the same transaction.
  deadline: 60_000,
})
