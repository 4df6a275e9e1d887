import type { Env } from '../env.ts'
import { VERSION } from '../packagePath.ts'

/** Names this installation and how to reach its operator, as MusicBrainz and ListenBrainz ask for. */
export const userAgent = ({ CONTACT_EMAIL, publicUrl }: Pick<Env, 'CONTACT_EMAIL' | 'publicUrl'>): string =>
  `BangerOrBust/${VERSION} ( ${CONTACT_EMAIL ?? publicUrl} )`
