/** The server's configuration for the page. */
export interface Config {
  /** The path of PUBLIC_URL, such as `/music`; empty for a site of its own. */
  basePath: string
  youtubePlayerUrl: string
  youtubeNoCookieUrl: string
  youtubeImageUrl: string
  /** The contact on the privacy page; null when none is configured. */
  contactEmail: string | null
  /** Who runs the service; null when the operator has not said so. */
  operatorName: string | null
  /** The services of 'Hear it elsewhere', in their order (playback-60). */
  hearElsewhere: readonly string[]
  /** The hosts of whole recordings, for the privacy page. */
  audioHosts: readonly string[]
  /** The operator's own OpenID provider, if there is one (signin-14). */
  openIdName?: string
  /** Whether only people with an account or an invitation can sign in (signin-16, signin-17). */
  isClosed?: boolean
  /** Whether people without an account can hear and rate (visitors-1). */
  visitors?: boolean
  /** Identifies the built page; missing in development. */
  build?: string
}

const defaults: Config = {
  basePath: '',
  youtubePlayerUrl: 'https://www.youtube.com',
  youtubeNoCookieUrl: 'https://www.youtube-nocookie.com',
  youtubeImageUrl: 'https://i.ytimg.com',
  contactEmail: null,
  operatorName: null,
  hearElsewhere: [],
  audioHosts: [],
}

/** Whether the page was requested with a session. Only decides what is loaded early (screens-22). */
export const hasSession = globalThis.document?.documentElement?.dataset.session !== undefined

/** The server writes it into the `bob-config` meta tag. */
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
