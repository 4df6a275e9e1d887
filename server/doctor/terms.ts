import type { Env } from '../env.ts'

interface Term {
  part: string
  /** Settings, one of which must be set. */
  keys: (keyof Env)[]
  text: string
}

/*
 * What providers limit and no program can look up, as they documented it in 2026:
 * developer.spotify.com/blog/2026-02-06-update-on-developer-access-and-platform-security,
 * support.google.com/cloud/answer/15549945, developers.facebook.com/docs/apps,
 * help.unsplash.com/en/articles/3887917.
 */
const TERMS: Term[] = [
  {
    part: 'Spotify',
    keys: ['SPOTIFY_CLIENT_ID'],
    text: 'an application in development mode needs an owner with Premium, admits five users and has fewer endpoints. The search here signs nobody in, but may lose its endpoint; more needs extended quota.',
  },
  {
    part: 'Google',
    keys: ['GOOGLE_CLIENT_ID', 'COMPANION_GOOGLE_KEY'],
    text: 'while the publishing status is Testing, only the test users that you listed can sign in, at most 100. Publish the application.',
  },
  {
    part: 'Facebook',
    keys: ['FACEBOOK_CLIENT_ID', 'COMPANION_FACEBOOK_KEY'],
    text: 'in development mode only people with a role in the application can sign in. Switch it to live, with PUBLIC_URL/privacy as its privacy policy.',
  },
  {
    part: 'YouTube',
    keys: ['YOUTUBE_API_KEY'],
    text: 'searches have a daily quota, shared by all servers with this key: the server makes at most 100 a day.',
  },
  {
    part: 'Unsplash',
    keys: ['COMPANION_UNSPLASH_KEY'],
    text: 'a demo application has 50 requests an hour. Apply for production.',
  },
  {
    part: 'ListenBrainz',
    keys: ['LISTENBRAINZ_TOKEN'],
    text: 'it is free of charge, like MusicBrainz, and asks commercial users to support the MetaBrainz Foundation.',
  },
]

/** Terms of the providers that are configured, and of Deezer, which needs no key. */
export function termsOf(env: Env): { part: string; text: string }[] {
  const used = TERMS.filter(({ keys }) => keys.some((key) => env[key]))
  const deezer = 'previews are for services that earn no money. Otherwise ask Deezer first.'
  const texts = used.map(({ part, text }) => ({ part, text: text.replace('PUBLIC_URL', env.publicUrl) }))
  return [...texts, { part: 'Deezer', text: deezer }]
}
