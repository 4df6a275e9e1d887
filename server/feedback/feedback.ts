import type { Database } from '../db/connection.ts'

/** Stores feedback; it is mailed later, so a mail server that is down loses nothing. */
export async function keepFeedback(
  db: Database,
  userId: string,
  { email, message }: { email: string; message: string },
): Promise<{ message: string }> {
  await db`insert into feedback (user_id, email, message) values (${userId}, ${email}, ${message})`
  return { message: 'Thank you for your feedback.' }
}
