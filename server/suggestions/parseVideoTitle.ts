/** Title and artist of a video; the artist is null when unknown. */
export interface ParsedVideoTitle {
  title: string
  artist: string | null
}

/**
 * 'Slowdive - Alison (Official Video)' is 'Alison' by Slowdive, and so is 'Alison' on the channel 'Slowdive - Topic',
 * where YouTube puts the recordings of labels. Any other channel may be anybody's.
 */
export function parseVideoTitle(title: string, channel: string | null): ParsedVideoTitle {
  const cleanTitle = title.replace(TITLE_EXTRAS, ' ').replace(/\s+/g, ' ').trim() || title
  const topic = /^(.+) - Topic$/.exec(channel ?? '')?.[1]
  if (topic) return { title: cleanTitle, artist: topic }
  const [, artist, name] = /^(.+?)\s+[-–—]\s+(.+)$/.exec(cleanTitle) ?? []
  return artist && name
    ? { title: name.replace(/^["“'](.+)["”']$/, '$1'), artist }
    : { title: cleanTitle, artist: null }
}

/** What channels add to a title, in brackets. */
const TITLE_EXTRAS =
  /\s*[([][^)\]]*\b(official|video|audio|lyrics?|visuali[sz]er|hd|hq|4k|remaster(ed)?)\b[^)\]]*[)\]]/gi
