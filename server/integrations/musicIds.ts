/** An id of MusicBrainz, as it writes them. */
export const MBID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An ISRC without hyphens: country, registrant, year and number. */
export const ISRC = /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/
