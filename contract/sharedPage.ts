import { formatCount } from './formatCount.ts'
import { isolateName, songName } from './isolateName.ts'
import {
  achievementText,
  type SharedAchievement,
  type SharedCollection,
  type SharedMix,
  type SharedRecording,
  type ShareKind,
  sharerName,
} from './sharing.ts'
import type { VisitorSong } from './visitors.ts'

/** The content of a shared page, from which its HTML, the React page and its pictures are made. */
export interface SharedPage {
  kind: ShareKind
  /** Above the title. */
  badge: string
  title: string
  text?: string | null
  /** The raw type of an achievement that has no text (sharing-15). */
  type?: string | null
  /** The type of an achievement, which its medal shows. */
  medal?: string
  /** Of an achievement. */
  genre?: { name: string; color: string } | null
  creator: { name: string; photo: string | null }
  /** What happened at `createdAt`. */
  event: 'Created' | 'Unlocked'
  createdAt: string
  /** Such as '3 views'. */
  counts: string[]
  /** The microgenres of a collection, or the songs of a mix. */
  entries: SharedEntry[]
  /** The metadata of an achievement, as text (sharing-16). */
  details?: [key: string, value: string][]
  /** The button at the end. */
  action: string
  /** One or two sentences, for previews of the link. */
  summary: string
  pictureText: string
}

export interface SharedEntry {
  id: string
  microgenreKey: string
  addedAt: string
  name: string
  color: string
  description: string
  /** The sleeve of a song. */
  art?: string | null
  recordings?: SharedRecording[]
  songs?: VisitorSong[]
}

export function collectionPage(collection: SharedCollection): SharedPage {
  const { name, description, createdAt, viewCount, user, items } = collection
  const creator = { name: sharerName(user), photo: user.profileImageUrl }
  const entries = items.map(({ id, addedAt, microgenre: { key, ...microgenre } }) => ({
    id,
    microgenreKey: key,
    addedAt,
    ...microgenre,
  }))
  const names = entries.map((entry) => isolateName(entry.name)).join(', ')
  const itemCount = formatCount(items.length, 'microgenre')
  return {
    kind: 'collection',
    badge: 'Shared Collection',
    title: name,
    text: description,
    creator,
    event: 'Created',
    createdAt,
    counts: [formatCount(viewCount, 'view'), itemCount],
    entries,
    action: 'Start Discovering',
    summary:
      description || `A collection of ${itemCount} by ${isolateName(creator.name)}${names && `: ${names}`}.`,
    pictureText: `${name}: ${names || 'no microgenres yet'}`,
  }
}

export function achievementPage(achievement: SharedAchievement): SharedPage {
  const { type, metadata, createdAt, user, microgenre } = achievement
  const creator = { name: sharerName(user), photo: user.profileImageUrl }
  const { name, text, type: rawType } = achievementText(type)
  const where = microgenre ? ` in ${isolateName(microgenre.name)}` : ''
  // Where there is a raw type, the text only repeats the badge.
  const meaning = rawType === null ? `: ${text}` : ''
  return {
    kind: 'achievement',
    badge: 'Achievement Unlocked',
    title: name,
    text,
    type: rawType,
    medal: type,
    genre: microgenre,
    creator,
    event: 'Unlocked',
    createdAt,
    counts: [],
    entries: [],
    details: Object.entries(metadata).map(([key, value]) => [key, String(value)]),
    action: 'Start Your Journey',
    summary: `${isolateName(creator.name)} unlocked ‘${name}’${where}${meaning}.`,
    pictureText: `${name}${meaning}`,
  }
}

export function mixPage({ name, createdAt, user, songs }: Mix): SharedPage {
  const creator = { name: sharerName(user), photo: user.profileImageUrl }
  const names = songs.map(songName).join(', ')
  const songCount = formatCount(songs.length, 'song')
  return {
    kind: 'mix',
    badge: 'Shared Mix',
    title: name,
    creator,
    event: 'Created',
    createdAt,
    counts: [songCount],
    entries: songs.map(({ id, title, artist, albumArt, microgenre: { key, color, ...genre } }) => ({
      id,
      microgenreKey: key,
      addedAt: createdAt,
      name: title,
      color,
      description: `${artist} · ${genre.name}`,
      art: albumArt,
    })),
    action: 'Start Discovering',
    summary: `A mix of ${songCount} by ${isolateName(creator.name)}${names && `: ${names}`}.`,
    pictureText: `${name}: ${names || 'no songs yet'}`,
  }
}

type Mix = Omit<SharedMix, 'songs'> & { songs: readonly VisitorSong[] }

/** Without verdicts (sharing-32). */
export function blindRoundPage({ songs, ...round }: Omit<Mix, 'name'>): SharedPage {
  const maker = isolateName(sharerName(round.user))
  const name = `${formatCount(songs.length, 'song')} that ${maker} rated`
  const text = 'Bangers and busts, mixed. Rate them blind, and see where you agree.'
  const page = mixPage({ ...round, songs, name })
  return { ...page, kind: 'blind', badge: 'Blind Round', text, counts: [], summary: text }
}
