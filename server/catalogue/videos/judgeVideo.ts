import { type VideoDoubt, VideoSource } from '../../../contract/desk.ts'
import { matchLevel } from '../../../contract/diagnostics.ts'
import { matchVideo } from '../../diagnostics/verifySongs.ts'
import type { VideoFacts } from '../../integrations/video.ts'
import { normalizeName, tokenize } from '../spelling.ts'

export interface JudgedSong {
  artist: string
  title: string
  durationMs: number | null
}

export const VIDEO_SOURCES = VideoSource.options

export interface Judgement {
  /** Of 100: title and artist, minus what is unproven. */
  score: number
  /** Null for a video that the song may get. */
  refusal: VideoDoubt | 'unplayable' | 'other song' | 'other version' | null
  detail: string | null
}

/**
 * Milliseconds by which a video may differ from its recording. A shorter one is an edit or a part. An upload adds
 * some silence. A music video adds an opening and credits, mostly less than a minute; extended mixes and live takes
 * add more.
 */
const LENGTH_TOLERANCE = { shorter: 5000, longer: 10_000, musicVideo: 60_000 }

/** Deductions from the score, of 100. */
const SCORE_COST = {
  /** The title has more words than the song's. */
  otherTitle: 30,
  /** It names something else, such as another artist. */
  alsoNames: 30,
  /** It is probably no upload of the record, but a clip, with other sounds at its ends. */
  clip: 5,
  /** The length is unknown, but the source or the channel vouches for it. */
  untimed: 10,
  unproven: 30,
}

/**
 * Whether a video is the song's (catalogue-7). MusicBrainz and Wikidata vouch for the recording; a search result
 * needs the length or the artist's own channel as proof, and so does a video at Discogs, which is named for a whole release.
 */
export function judgeVideo(song: JudgedSong, source: VideoSource, facts: VideoFacts): Judgement {
  const { title, channel, durationMs } = facts
  if (title === null) return { score: 0, refusal: 'unplayable', detail: facts.problem }
  const isOwn = isOwnChannel(channel ?? '', song.artist)
  const match = matchVideo(song, { title, channel: isOwn ? song.artist : channel })
  const parts = readTitle(title, song)
  const longer = song.durationMs === null || durationMs === null ? null : durationMs - song.durationMs
  const isVouched = source !== 'youtube' && source !== 'discogs'
  const isTrusted = isVouched || isOwn
  const cost =
    (parts.hasTitle ? 0 : SCORE_COST.otherTitle) +
    (parts.leadsWithOther || (parts.namesOther && !isTrusted) ? SCORE_COST.alsoNames : 0) +
    (isClip(title, channel, longer) ? SCORE_COST.clip : 0) +
    (longer !== null ? 0 : isTrusted ? SCORE_COST.untimed : SCORE_COST.unproven)
  const score = Math.max(0, match.score - cost)

  const judged = (refusal: Judgement['refusal'], detail: string | null = null) => ({ score, refusal, detail })
  if (!facts.embeddable) return judged('unplayable', facts.problem)
  if (facts.isRegional) return judged('regional', 'It is blocked in many countries.')
  if (!match.titleMatch || !match.artistMatch) return judged('other song')
  const version = versionIn(title, isOwn ? '' : (channel ?? ''), song)
  if (version) return judged('other version', version)
  const maxLonger = isVouched || isMusicVideo(title) ? LENGTH_TOLERANCE.musicVideo : LENGTH_TOLERANCE.longer
  if (longer !== null && (longer > maxLonger || longer < -LENGTH_TOLERANCE.shorter)) {
    return judged('length differs', `${seconds(durationMs)} s instead of ${seconds(song.durationMs)} s`)
  }
  return judged(matchLevel(score) === 'good' ? null : 'weak')
}

const seconds = (milliseconds: number | null) => Math.round((milliseconds ?? 0) / 1000)

/** 'Slowdive - Topic', 'Official Audio' and the song's length are signs of the record. */
function isClip(title: string, channel: string | null, longer: number | null): boolean {
  if (/ - topic$/i.test(channel ?? '') || tokenize(title).includes('audio')) return false
  return longer === null ? isMusicVideo(title) : Math.abs(longer) > MAX_SONG_DIFFERENCE
}

/** Milliseconds by which an upload of the record differs from the song. */
const MAX_SONG_DIFFERENCE = 3000

const isMusicVideo = (title: string) => tokenize(title).some((word) => MUSIC_VIDEO_WORDS.has(word))

const MUSIC_VIDEO_WORDS = new Set(['video', 'videoclip', 'clip', 'videoclipe', 'mv', 'musikvideo'])

/** 'Slowdive', 'Slowdive - Topic', 'SlowdiveVEVO'. */
function isOwnChannel(channel: string, artist: string): boolean {
  const words = tokenize(channel.replace(/vevo\s*$/i, '')).filter((word) => !CHANNEL_WORDS.has(word))
  return (
    normalizeName(channel) === normalizeName(artist) ||
    (words.length > 0 && normalizeName(words.join(' ')) === normalizeName(artist))
  )
}

const CHANNEL_WORDS = new Set(['topic', 'official', 'oficial', 'officiel', 'music', 'channel', 'tv', 'band'])

interface ReadTitle {
  /** A part of the title, or several in a row, is exactly the song's title. */
  hasTitle: boolean
  /** The first part is neither artist nor title. */
  leadsWithOther: boolean
  /** Another part is neither artist nor title. */
  namesOther: boolean
}

/** Reads 'Slowdive - Alison (Official Video)' as the artist, the title and a decoration. */
function readTitle(title: string, song: JudgedSong): ReadTitle {
  const artist = new Set(tokenize(song.artist))
  const coreOf = (text: string) =>
    tokenize(text)
      .filter((word) => !isDecoration(word) && !artist.has(word))
      .join('')
  const wanted = [song.title, song.title.replace(GUESTS_PATTERN, '')].flatMap((text) => [
    normalizeName(text),
    coreOf(text),
  ])
  const isTitle = (text: string) =>
    wanted.includes(normalizeName(text)) || (coreOf(text) !== '' && wanted.includes(coreOf(text)))

  const parts = title.split(SEPARATORS).filter((part) => tokenize(part).length > 0)
  const runs = parts.flatMap((_, first) =>
    parts.slice(first).map((_, more) => ({ first, last: first + more })),
  )
  const [run] = runs.filter(({ first, last }) => isTitle(parts.slice(first, last + 1).join(' ')))
  const titleTokens = new Set(tokenize(song.title))
  const isOther = (part: string, place: number) => {
    if (run && place >= run.first && place <= run.last) return false
    const words = tokenize(part)
    const namesArtist = words.filter((word) => artist.has(word)).length >= artist.size
    return (
      !namesArtist && words.some((word) => !isDecoration(word) && !artist.has(word) && !titleTokens.has(word))
    )
  }
  const others = parts.map(isOther)
  return {
    hasTitle: run !== undefined,
    leadsWithOther: others[0] ?? false,
    namesOther: others.includes(true),
  }
}

const GUESTS_PATTERN = /\s*[([]?\s*\b(?:feat|ft|featuring)\b.*$/i

const SEPARATORS = /\s+[-–—―~]+\s+|[|•·:()[\]{}"“”„«»「」『』【】]|\s\/+\s|\b(?:feat|ft|featuring)\b\.?/iu

const isDecoration = (word: string) => DECORATION_WORDS.has(word) || /^(?:19|20)\d\d$/.test(word)

/** Words that uploaders add to any song. */
const DECORATION_WORDS = new Set(
  `official officiel oficial offizielles original music musik video videoclip videoclipe musikvideo clip mv audio
  lyric lyrics letra paroles visualizer visualiser hd hq 4k 1080p 720p 480p uhd remaster remastered digital digitally
  stereo mono explicit single album track song vinyl lp ep 7 12 inch by the topic vevo premiere new full`
    .trim()
    .split(/\s+/),
)

/**
 * The words that name another version, in the video's title or, for some words, its channel, but not in the song's
 * names.
 */
function versionIn(title: string, channel: string, song: JudgedSong): string | null {
  const songTokens = new Set(tokenize(`${song.title} ${song.artist}`))
  const plain = title.replace(
    /\b(?:original|official|album|studio|lp|full[- ]length)\s+(?:version|mix|edit)\b/gi,
    ' ',
  )
  const found =
    WHOLE_ALBUM.exec(plain)?.[0] ??
    tokenize(plain).find((word) => VERSION_WORDS.has(word) && !songTokens.has(word)) ??
    tokenize(channel).find((word) => COVER_WORD_SET.has(word) && !songTokens.has(word))
  return found ?? null
}

/** A title track has the names of its album. */
const WHOLE_ALBUM = /\b(?:full|complete|entire|whole)[- ](?:album|e\.?p|l\.?p)\b/i

/** Covers and the like by others; these also count in a channel's name. */
const COVER_WORDS = `cover covers covered coverversion karaoke tribute tributes remix remixes remixed rmx nightcore reaction
  reactions lesson lessons tutorial tutorials instrumental instrumentals lullaby slowed sped parody playalong`

const COVER_WORD_SET = new Set(COVER_WORDS.split(/\s+/))

const VERSION_WORDS = new Set(
  `${COVER_WORDS} live concert unplugged session sessions vivo directo konzert festival tour rehearsal soundcheck
  acoustic acustico acustica acapella cappella orchestral symphonic piano guitar bass drum drums chords tab tabs
  version edit edited mix mixed mashup megamix medley rework reworked bootleg dub extended reprise
  demo take alternate outtake unreleased snippet preview excerpt teaser trailer interview documentary commentary
  reverb 8d loop looped hour hours playback backing performed performs plays playing played sings style ringtone
  backwards reversed review explained`
    .trim()
    .split(/\s+/),
)
