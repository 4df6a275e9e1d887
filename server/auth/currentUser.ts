import type { CurrentUser } from '../../contract/auth.ts'
import type { Database } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { readableEmail } from './readableEmail.ts'

/** @throws HttpError 401 when the account was just deleted. */
export async function getCurrentUser(db: Database, userId: string): Promise<CurrentUser> {
  const [user] = await db<(Omit<CurrentUser, 'createdAt'> & { createdAt: Date })[]>`
    select id, first_name, last_name, email, profile_image_url, bio, is_public, show_email, email_opt_out,
      start_at_hook, created_at, follower_count, following_count
    from users where id = ${userId}`
  if (!user) throw new HttpError(401, 'Please sign in.')
  return { ...user, email: readableEmail(user.email), createdAt: user.createdAt.toISOString() }
}
