import { readLines } from '../songFiles/readJson.ts'
import { type ImportItem, type ReadContext, toItem } from './importItems.ts'

const ADDRESS = /^(https?:\/\/|spotify:)\S+$/
const NAME = /^(.+?) [-–—] (.+)$/

/** Each line is an address or 'artist - title'. */
export function looksLikeLines(head: string): boolean {
  const lines = head.split('\n').map((line) => line.trim())
  // The last one may be cut.
  const sample = lines.slice(0, lines.length > 20 ? 20 : undefined).filter(Boolean)
  return (
    head.startsWith('#EXTM3U') ||
    (sample.length > 0 && sample.every((line) => ADDRESS.test(line) || NAME.test(line)))
  )
}

/** Reads M3U and plain lists, whose songs are loved. */
export async function* readPlaylistLines(
  chunks: AsyncIterable<Buffer>,
  context: ReadContext,
): AsyncGenerator<ImportItem> {
  let isM3u = false
  let name: string | null = null
  for await (const line of readLines(chunks)) {
    const text = line.trim()
    if (text.startsWith('#EXT') || (isM3u && text.startsWith('#'))) {
      isM3u = true
      name = /^#EXTINF:[^,]*,(.*)$/.exec(text)?.[1] ?? name
    } else if (text) {
      context.sources.add(isM3u ? 'Playlist (M3U)' : 'List of songs')
      const isAddress = ADDRESS.test(text)
      const [, artist, title] = NAME.exec(name ?? (isAddress ? '' : isM3u ? fileName(text) : text)) ?? []
      const song = { verdict: 'banger' as const, title: title ?? name, artist }
      const videos = /[?&]video_ids=([\w,-]+)/.exec(text)?.[1]?.split(',')
      if (videos) for (const youtube_id of videos) yield toItem({ ...song, youtube_id }, context)
      else
        yield isAddress || artist ? toItem({ ...song, addresses: text }, context) : { leftOut: 'local file' }
      name = null
    }
  }
}

/** Without folders, number and extension. */
const fileName = (path: string) => path.replace(/^.*[\\/]|\.\w{2,4}$/g, '').replace(/^\d{1,3}(\.| -) +/, '')
