import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant, trigramsOf } from './columns.ts'

/* Directory tables: accounts and what they publish. One node, ordinary foreign keys. */

/** The row is deleted with the account. */
export const ownedByUser = (column = 'user_id') =>
  id(column)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** The texts of an account that searches use: its name, and while it is public what the profile shows to others. */
const shownTexts = sql.raw(`coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(31)
  || case when is_public then coalesce(bio, '') || chr(31) || case when show_email then coalesce(email, '') else '' end
     else '' end`)

export const users = pgTable(
  'users',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Verified and in lower case; an unverified address stays on the identity (signin-7). */
    email: text('email').unique(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    profileImageUrl: text('profile_image_url'),
    bio: text('bio'),
    isPublic: boolean('is_public').notNull().default(false),
    showEmail: boolean('show_email').notNull().default(false),
    emailOptOut: boolean('email_opt_out').notNull().default(false),
    /** Videos on Discover begin at the hook (playback-62). */
    startAtHook: boolean('start_at_hook').notNull().default(false),
    /** Songs to rate are covered until their verdict (discover-92). */
    earFirst: boolean('ear_first').notNull().default(false),
    /** For the previous version, which counts follows here. */
    followerCount: integer('follower_count').notNull().default(0),
    followingCount: integer('following_count').notNull().default(0),
    suspendedAt: instant('suspended_at'),
    /** 'steward' or 'operator', who alone lifts it (desk-16). Null, of the version before: an operator. */
    suspendedBy: text('suspended_by'),
    /** An operator gave them the desk (desk-10). */
    isSteward: boolean('is_steward').notNull().default(false),
    /** The invitation with which the account was created, if any (signin-17). */
    invitationId: id('invitation_id').references(() => invitations.id),
    createdAt: createdAt(),
    /** The folded texts, for searches (people-11, accounts-2): `profiles/listPublicUsers.ts`. */
    folded: text('folded'),
    /** A hash of the texts that were folded. */
    foldedFrom: bigint('folded_from', { mode: 'bigint' }),
    /** For the previous version, which searches by it. */
    searchText: text('search_text').generatedAlwaysAs(
      sql`case when is_public then lower(
        coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(31) || coalesce(bio, '') || chr(31)
          || case when show_email then coalesce(email, '') else '' end) end`,
    ),
  },
  (t) => [
    check('users_email_is_lower', sql`${t.email} = lower(${t.email})`),
    check('users_bio_length', sql`char_length(${t.bio}) <= 280`),
    // For the previous version.
    index('users_public_by_followers')
      .on(t.followerCount.desc().nullsFirst(), t.id)
      .where(sql`${t.isPublic}`),
    // Without a list of waiting entries, which each search would read.
    index('users_search')
      .using('gin', trigramsOf(t.searchText))
      .with({ fastupdate: false })
      .where(sql`${t.isPublic}`),
    index('users_folded')
      .using('gin', trigramsOf(t.folded))
      .with({ fastupdate: false })
      .where(sql`${t.isPublic}`),
    // For operators, who find private profiles too (accounts-2). Most accounts have no name.
    index('users_folded_names')
      .using('gin', trigramsOf(sql`split_part(${t.folded}, chr(31), 1)`))
      .with({ fastupdate: false })
      .where(sql`${t.firstName} is not null or ${t.lastName} is not null`),
    index('users_to_fold')
      .on(sql`(${t.id} + 0)`)
      .where(sql`${t.foldedFrom} is distinct from hashtextextended(${shownTexts}, 0)`),
    // Few accounts are suspended.
    index('users_suspended').on(t.id).where(sql`${t.suspendedAt} is not null`),
    // For the version before.
    index('users_names')
      .using(
        'gin',
        trigramsOf(sql`lower(coalesce(${t.firstName}, '') || ' ' || coalesce(${t.lastName}, ''))`),
      )
      .with({ fastupdate: false })
      .where(sql`${t.firstName} is not null or ${t.lastName} is not null`),
    // Photos at foreign hosts, of accounts made by earlier versions.
    index('users_foreign_photo').on(t.id).where(sql`${t.profileImageUrl} like 'http%'`),
  ],
)

export const identities = pgTable(
  'identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    userId: ownedByUser(),
    claimedEmail: text('claimed_email'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.subject] }), index('identities_user_id').on(t.userId)],
)

export const sessions = pgTable(
  'sessions',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    id: bigint('id', { mode: 'bigint' }).notNull().unique().generatedAlwaysAsIdentity(),
    userId: ownedByUser(),
    userAgent: text('user_agent'),
    createdAt: createdAt(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('sessions_user_id').on(t.userId), index('sessions_expires_at').on(t.expiresAt)],
)

/** Passkeys (signin-23). */
export const passkeys = pgTable(
  'passkeys',
  {
    /** The authenticator's id of the passkey. */
    credentialId: bytes('credential_id').primaryKey(),
    id: bigint('id', { mode: 'bigint' }).notNull().unique().generatedAlwaysAsIdentity(),
    userId: ownedByUser(),
    /** The account's id for authenticators, the same for all of its passkeys. */
    userHandle: bytes('user_handle').notNull(),
    /** As COSE_Key; of version 0.1 as SubjectPublicKeyInfo. */
    publicKey: bytes('public_key').notNull(),
    /** The authenticator's count of uses; 0 if it does not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** How browsers reach it, such as 'usb'. */
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    index('passkeys_user_id').on(t.userId),
    check('passkeys_name', sql`char_length(${t.name}) between 1 and 60`),
  ],
)

/** Tokens for programs (signin-27), stored as hashes. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    id: bigint('id', { mode: 'bigint' }).notNull().unique().generatedAlwaysAsIdentity(),
    userId: ownedByUser(),
    name: text('name').notNull(),
    scopes: text('scopes').array().notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    index('api_tokens_user_id').on(t.userId),
    check('api_tokens_name', sql`char_length(${t.name}) between 1 and 60`),
  ],
)

/** Magic links (signin-9) and their codes (signin-29): token, browser mark and code are stored as hashes. */
export const signInTokens = pgTable(
  'sign_in_tokens',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    email: text('email').notNull(),
    browserHash: bytes('browser_hash'),
    codeHash: bytes('code_hash'),
    /** How often a code was tried. */
    codeTries: smallint('code_tries').notNull().default(0),
    /** The invitation that was open in the browser that requested it (signin-18). */
    invitationId: id('invitation_id').references(() => invitations.id),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [
    index('sign_in_tokens_email').on(t.email),
    index('sign_in_tokens_browser_hash').on(t.browserHash),
    index('sign_in_tokens_expires_at').on(t.expiresAt),
    check('sign_in_tokens_email_is_lower', sql`${t.email} = lower(${t.email})`),
  ],
)

/** Links that admit new people while REGISTRATION is invite (signin-17). They are never deleted. */
export const invitations = pgTable(
  'invitations',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    tokenHash: bytes('token_hash').notNull().unique(),
    /** Whom or what it is for, in the operator's words. */
    note: text('note'),
    /** Accounts that it may make, and that it has made. */
    maxUses: integer('max_uses').notNull(),
    uses: integer('uses').notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    check('invitations_uses', sql`${t.uses} between 0 and ${t.maxUses}`),
    check('invitations_note', sql`char_length(${t.note}) <= 100`),
  ],
)

/** Those of a deleted account stay until a job deletes them: `profiles/deleteAccount.ts`. */
export const follows = pgTable(
  'follows',
  {
    followerId: id('follower_id').notNull(),
    followedId: id('followed_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.followerId, t.followedId] }),
    // Both lists by time.
    index('follows_followers').on(t.followedId, t.createdAt, t.followerId),
    index('follows_following').on(t.followerId, t.createdAt, t.followedId),
    check('follows_not_oneself', sql`${t.followerId} <> ${t.followedId}`),
  ],
)

/**
 * Triggers on `follows` count in this table of narrow rows: each change of `users` would write all its indexes again. No row
 * means none.
 */
export const followCounts = pgTable(
  'follow_counts',
  {
    userId: id('user_id').primaryKey(),
    followers: integer('followers').notNull(),
    following: integer('following').notNull(),
  },
  (t) => [index('follow_counts_followers').on(t.followers.desc().nullsFirst(), t.userId)],
)

/** Accounts that are gone, with follows that may still be there. A trigger on `users` writes it. */
export const deletedAccounts = pgTable('deleted_accounts', {
  userId: id('user_id').primaryKey(),
  deletedAt: instant('deleted_at').notNull().defaultNow(),
})

export const preferences = pgTable(
  'preferences',
  {
    userId: ownedByUser().primaryKey(),
    energyPreference: text('energy_preference').notNull(),
    vocalPreference: text('vocal_preference').notNull(),
    familiarityLevel: text('familiarity_level').notNull(),
    musicMood: text('music_mood').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('preferences_energy', sql`${t.energyPreference} in ('slow', 'fast', 'weird', 'mixed')`),
    check('preferences_vocal', sql`${t.vocalPreference} in ('vocal', 'instrumental', 'both')`),
    check('preferences_familiarity', sql`${t.familiarityLevel} in ('mainstream', 'indie', 'obscure')`),
    check('preferences_mood', sql`${t.musicMood} in ('ambient', 'emotional', 'rhythmic', 'experimental')`),
  ],
)

export const collections = pgTable(
  'collections',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: ownedByUser(),
    name: text('name').notNull(),
    description: text('description'),
    isPublic: boolean('is_public').notNull().default(true),
    viewCount: integer('view_count').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index('collections_user_id').on(t.userId),
    check('collections_name', sql`char_length(btrim(${t.name})) between 1 and 100`),
    check('collections_description', sql`char_length(${t.description}) <= 500`),
  ],
)

export const collectionItems = pgTable(
  'collection_items',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    collectionId: id('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    microgenreId: id('microgenre_id').notNull(),
    addedAt: instant('added_at').notNull().defaultNow(),
  },
  (t) => [unique('collection_items_collection_id_microgenre_id').on(t.collectionId, t.microgenreId)],
)

/** Songs that are no longer bangers of the owner stay here, and are left out where it is read (sharing-23). */
export const mixes = pgTable(
  'mixes',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: ownedByUser(),
    name: text('name').notNull(),
    /** In the owner's order. */
    songIds: id('song_ids').array().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('mixes_user_id').on(t.userId),
    check('mixes_name', sql`char_length(btrim(${t.name})) between 1 and 100`),
    check('mixes_song_ids', sql`cardinality(${t.songIds}) <= 50`),
  ],
)

/**
 * The target of a share link is (user, kind, target): its owner's achievement, collection or mix (sharing-4, sharing-7).
 */
export const shareTokens = pgTable(
  'share_tokens',
  {
    token: text('token').primaryKey(),
    userId: ownedByUser(),
    kind: text('kind').notNull(),
    targetId: id('target_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('share_tokens_kind_target_id').on(t.kind, t.targetId),
    index('share_tokens_user_id').on(t.userId),
    check('share_tokens_kind', sql`${t.kind} in ('collection', 'achievement', 'mix')`),
  ],
)

/** The songs that visitors rate blind (sharing-31). A listener has one round at a time. */
export const blindRounds = pgTable('blind_rounds', {
  userId: ownedByUser().primaryKey(),
  token: text('token').notNull().unique(),
  songIds: id('song_ids').array().notNull(),
  /** What visitors showed the maker, newest first (sharing-33). */
  results: jsonb('results').notNull().default([]),
  createdAt: createdAt(),
})

export const uploads = pgTable(
  'uploads',
  {
    /** The object's key in the store; starts with the listener's id. */
    key: text('key').primaryKey(),
    /** No foreign key: a row outlives its account until its files are deleted. */
    userId: id('user_id').notNull(),
    purpose: text('purpose').notNull(),
    fileName: text('file_name'),
    contentType: text('content_type'),
    size: id('size'),
    /** The store's id of an unfinished multipart upload. */
    uploadId: text('upload_id'),
    completedAt: instant('completed_at'),
    /** Its files are deleted, and the row stays until no address can bring them back. */
    discardedAt: instant('discarded_at'),
    expiresAt: instant('expires_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('uploads_user_id').on(t.userId),
    index('uploads_expires_at').on(t.expiresAt),
    check('uploads_purpose', sql`${t.purpose} in ('profile-photo', 'file', 'import')`),
  ],
)

/**
 * Pictures of sign-in providers that still have to be fetched (uploads-13). A row is gone once the listener has a
 * photo, or has chosen to have none.
 */
export const providerPictures = pgTable(
  'provider_pictures',
  {
    userId: ownedByUser().primaryKey(),
    address: text('address').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** 'infinity': given up until the next sign-in. */
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [index('provider_pictures_waiting').on(t.userId).where(sql`${t.nextAttemptAt} < 'infinity'`)],
)

/** Feedback is stored first and mailed later (people-21 'Thoughts?'). */
export const feedback = pgTable(
  'feedback',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: id('user_id').references(() => users.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    message: text('message').notNull(),
    createdAt: createdAt(),
    mailedAt: instant('mailed_at'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
  },
  (t) => [
    index('feedback_user_id').on(t.userId),
    index('feedback_unsent').on(t.nextAttemptAt).where(sql`${t.mailedAt} is null`),
    check('feedback_message_length', sql`char_length(${t.message}) between 1 and 5000`),
  ],
)

/** A listener's account at ListenBrainz, or at what stands in its place (library-33). */
export const listenbrainzLinks = pgTable(
  'listenbrainz_links',
  {
    userId: ownedByUser().primaryKey(),
    userName: text('user_name').notNull(),
    /** Encrypted: `listenbrainz/sealToken.ts`. */
    token: text('token').notNull(),
    sendsBusts: boolean('sends_busts').notNull().default(false),
    /** Since then nothing is sent. */
    refusedAt: instant('refused_at'),
    /** All ratings until then are there. Null: all have to be compared. */
    comparedAt: instant('compared_at'),
    nextAt: instant('next_at').notNull().defaultNow(),
    /** In a row, without an answer. */
    failures: integer('failures').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index('listenbrainz_links_next').on(t.nextAt).where(sql`${t.refusedAt} is null`)],
)

/** What the account there has of the listener's ratings: what was sent last. No row means nothing. */
export const listenbrainzSent = pgTable(
  'listenbrainz_sent',
  {
    userId: id('user_id')
      .notNull()
      .references(() => listenbrainzLinks.userId, { onDelete: 'cascade' }),
    recordingMbid: text('recording_mbid').notNull(),
    /** 1 a love, -1 a hate. Null while it is sent: without an answer nobody knows. */
    score: smallint('score'),
    /** The service did not take it, and is not asked again. */
    isRejected: boolean('is_rejected').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.recordingMbid] }),
    check('listenbrainz_sent_score', sql`${t.score} in (-1, 1)`),
  ],
)
