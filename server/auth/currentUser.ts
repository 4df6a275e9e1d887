import type { CurrentUser } from '../../contract/auth.ts'
import type { Queryable } from '../db/connection.ts'
import { HttpError } from '../http/HttpError.ts'
import { readableEmail } from './readableEmail.ts'

/** @throws HttpError 401 when the account was just deleted. */
export async function getCurrentUser(db: Queryable, userId: string): Promise<CurrentUser> {
  const [user] = await db<(Omit<CurrentUser, 'createdAt'> & { createdAt: Date })[]>`
    select u.id, u.first_name, u.last_name, u.email, u.profile_image_url, u.bio, u.is_public, u.show_email,
      u.email_opt_out, u.start_at_hook, coalesce(s.song_choice, 'both') as song_choice, u.created_at, u.follower_count, u.following_count
    from users u left join listener_stats s on s.user_id = u.id where u.id = ${userId}`
  if (!user) throw new HttpError(401, 'Please sign in.')
  return { ...user, email: readableEmail(user.email), createdAt: user.createdAt.toISOString() }
}
