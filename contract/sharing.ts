import * as z from 'zod/mini'
import { compactAchievementName } from './achievements.ts'
import { endpoint } from './endpoint.ts'
import { ExportForm } from './exports.ts'
import { Id, IdParams, Moment, WholeAudio } from './shapes.ts'
import { VisitorSong } from './visitors.ts'

/** The creator of something shared: name and photo only (sharing-16). */
export const Sharer = z.object({
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
})
export type Sharer = z.infer<typeof Sharer>

/** First and last name joined (people-4). */
export function sharerName({ firstName, lastName }: Pick<Sharer, 'firstName' | 'lastName'>): string {
  return [firstName?.trim(), lastName?.trim()].filter(Boolean).join(' ') || 'Music Explorer'
}

/** A song whose whole recording its licence lets us play. */
const SharedRecording = z.object({ title: z.string(), audio: WholeAudio })
export type SharedRecording = z.infer<typeof SharedRecording>

export const SharedCollection = z.object({
  name: z.string(),
  description: z.nullable(z.string()),
  createdAt: Moment,
  viewCount: z.int(),
  user: Sharer,
  items: z.array(
    z.object({
      id: Id,
      addedAt: Moment,
      microgenre: z.object({
        key: z.string(),
        name: z.string(),
        color: z.string(),
        description: z.string(),
        /** At most three (sharing-12). */
        recordings: z.array(SharedRecording),
        /** At most three, to hear; none with VISITORS=off (sharing-12). */
        songs: z.array(VisitorSong),
      }),
    }),
  ),
})
export type SharedCollection = z.infer<typeof SharedCollection>

export const SharedMix = z.object({
  name: z.string(),
  createdAt: Moment,
  user: Sharer,
  /** In the order of their owner. */
  songs: z.array(
    z.extend(VisitorSong, { spotifyId: z.nullable(z.string()), deezerTrackId: z.nullable(z.string()) }),
  ),
})
export type SharedMix = z.infer<typeof SharedMix>

export const SharedAchievement = z.object({
  type: z.string(),
  /** Allow-listed keys (sharing-16). */
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  createdAt: Moment,
  user: Sharer,
  microgenre: z.nullable(z.object({ name: z.string(), color: z.string() })),
})
export type SharedAchievement = z.infer<typeof SharedAchievement>

interface AchievementText {
  name: string
  text: string
  /** The raw type, for types without a text. */
  type: string | null
}

/** Texts of types on the shared page (sharing-15). */
const ACHIEVEMENT_TEXTS: Record<string, Omit<AchievementText, 'type'>> = {
  first_banger: { name: 'First Banger', text: 'Discovered your first musical gem' },
  microgenre_master: { name: 'Microgenre Master', text: 'Completed an entire microgenre' },
  explorer: { name: 'Musical Explorer', text: 'Rated songs from 5+ microgenres' },
  streak_10: { name: 'On Fire', text: '10 song rating streak' },
}

/** The text of an achievement on its shared page. A type without a text shows its raw type, too (sharing-15). */
export function achievementText(type: string): AchievementText {
  const ownText = Object.hasOwn(ACHIEVEMENT_TEXTS, type) ? ACHIEVEMENT_TEXTS[type] : undefined
  if (ownText) return { ...ownText, type: null }
  return { name: compactAchievementName(type), text: 'Achievement unlocked', type }
}

export const ShareKind = z.enum(['collection', 'achievement', 'mix', 'blind'])
export type ShareKind = z.infer<typeof ShareKind>

/** The texts of a dead link, on the page and in its title (sharing-17). */
export const notFoundTexts = (name: string) => ({
  title: `${name} Not Found`,
  text: `This ${name.toLowerCase()} doesn't exist or is no longer available.`,
})

export const SHARE_NAMES = {
  collection: 'Collection',
  achievement: 'Achievement',
  mix: 'Mix',
  blind: 'Round',
} satisfies Record<ShareKind, string>

export const sharePath = (kind: ShareKind, shareToken: string) => `/share/${kind}/${shareToken}`

/** For everybody with the link. */
export const BY_TOKEN = { params: z.object({ shareToken: z.string() }), access: 'public' } as const

export const getSharedCollection = endpoint('GET /api/share/collection/:shareToken', {
  ...BY_TOKEN,
  summary: 'A shared collection; counts one view (sharing-13). 404 for a private one, except for its owner.',
  response: SharedCollection,
})

export const getSharedAchievement = endpoint('GET /api/share/achievement/:shareToken', {
  ...BY_TOKEN,
  summary: 'A shared achievement.',
  response: SharedAchievement,
})

export const getSharedMix = endpoint('GET /api/share/mix/:shareToken', {
  ...BY_TOKEN,
  summary: 'A shared mix (sharing-25).',
  response: SharedMix,
})

export const exportSharedMix = endpoint('GET /api/share/mix/:shareToken/export', {
  ...BY_TOKEN,
  summary: 'The songs of a shared mix as a file that other services accept (sharing-25).',
  query: z.object({ form: ExportForm }),
  answers: 'file',
})

export const shareAchievement = endpoint('POST /api/achievements/:id/share', {
  params: IdParams,
  access: 'signed-in',
  owns: 'achievement',
  summary: 'The token of the share link of an own achievement, always the same (sharing-7).',
  response: z.object({ shareToken: z.string() }),
})

/* Pictures are PNG: a preview has 1200×630 pixels, a story 1080×1920 (sharing-9). They do not count as views. */

/** Milliseconds. The first picture takes a second of CPU time, which is much longer on a busy machine. */
const PICTURE_ANSWER = { answers: 'file', deadline: 15_000 } as const

const SHARE_PICTURE = {
  ...PICTURE_ANSWER,
  params: z.object({ kind: ShareKind, shareToken: z.string() }),
  access: 'public',
} as const

export const getSharePreview = endpoint('GET /share/:kind/:shareToken/preview.png', {
  ...SHARE_PICTURE,
  summary: 'The preview picture of a share link.',
})

export const getShareStory = endpoint('GET /share/:kind/:shareToken/story.png', {
  ...SHARE_PICTURE,
  summary: 'What a link shares as a portrait picture.',
})

export const getMicrogenrePreview = endpoint('GET /microgenres/:key/preview.png', {
  ...PICTURE_ANSWER,
  params: z.object({ key: z.string() }),
  access: 'public',
  summary: "The preview picture of a link to a microgenre's page (visitors-5).",
})

export const getMapStory = endpoint('GET /api/microgenres/map/story.png', {
  ...PICTURE_ANSWER,
  access: 'signed-in',
  summary: "The listener's own map of microgenres as a portrait picture (discover-89).",
})

export const getStatsStory = endpoint('GET /api/users/me/stats/story.png', {
  ...PICTURE_ANSWER,
  access: 'signed-in',
  summary: "The listener's own totals as a portrait picture.",
})
