/** What the page must know of the server it came from. */
export interface Config {
  youtubePlayerUrl: string
  youtubeNoCookieUrl: string
  youtubeImageUrl: string
  /** Where the privacy page sends people; null when the operator named no address. */
  contactEmail: string | null
}

const defaults: Config = {
  youtubePlayerUrl: 'https://www.youtube.com',
  youtubeNoCookieUrl: 'https://www.youtube-nocookie.com',
  youtubeImageUrl: 'https://i.ytimg.com',
  contactEmail: null,
}

/** The server writes these into the `bob-config` meta tag as it serves the page. */
export const config: Config = { ...defaults, ...readMeta() }

function readMeta(): Partial<Config> {
  const content = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="bob-config"]')?.content
  if (!content) return {}
  try {
    return JSON.parse(content) as Partial<Config>
  } catch {
    return {}
  }
}
