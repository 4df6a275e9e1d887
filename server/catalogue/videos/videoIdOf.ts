/** The id of the video that an address of YouTube, or the id itself, names, as a list of one; else an empty one. */
export function videoIdOf(text: string): string[] {
  const id = ID.test(text) ? text : idInAddress(text)
  return id !== null && ID.test(id) ? [id] : []
}

const ID = /^[\w-]{11}$/

function idInAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  if (url.hostname === 'youtu.be') return url.pathname.slice(1)
  if (!HOSTS.has(url.hostname)) return null
  const [, id] = /^\/(?:embed|shorts|v)\/([\w-]+)$/.exec(url.pathname) ?? []
  return id ?? (url.pathname === '/watch' ? url.searchParams.get('v') : null)
}

const HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
])
