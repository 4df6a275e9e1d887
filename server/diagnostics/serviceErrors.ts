import { HttpError } from '../http/HttpError.ts'

/** Messages about outside services, for their operator (diagnostics-19). */
export const BAD_KEY = new HttpError(400, 'API key not valid. Please check YOUTUBE_API_KEY.')
export const BAD_CREDENTIALS = new HttpError(
  400,
  'API key not valid. Please check SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET.',
)

export const serviceAway = (message: string) => new HttpError(502, message)
