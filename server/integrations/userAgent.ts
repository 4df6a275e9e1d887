import type { Env } from '../env.ts'

/** Names this installation and how to reach its operator, as MusicBrainz and ListenBrainz ask for. */
export const userAgent = ({ CONTACT_EMAIL, publicUrl }: Pick<Env, 'CONTACT_EMAIL' | 'publicUrl'>): string =>
  `BangerOrBust/0.1 ( ${CONTACT_EMAIL ?? publicUrl} )`
