import { defineLimit } from '../http/limits/limits.ts'

/** Share links that one listener may create or request again. */
export const SHARING_LIMIT = defineLimit({
  name: 'sharing',
  max: 200,
  seconds: 3600,
  message: 'You have shared too much within an hour. Please wait a while.',
  counts: 'share links',
  per: 'listener',
})
