import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { getCurrentUser } from '../../contract/auth.ts'
import { answerQuestionnaire, signInRequest } from '../../tests/browser/fixtures.ts'
import type { TestServer } from '../../tests/browser/testServer.ts'
import { makeMicrogenre, writeRatings } from '../../tests/factories.ts'
import type { State } from './newWindow.ts'

/**
 * A listener with this many bangers, and the song of the newest one. Texts are as long as the catalogue's, four in five
 * have a video.
 */
export async function makeListener(
  { url, db }: TestServer,
  browser: Browser,
  bangers: number,
): Promise<{ state: State; newest: string }> {
  const context = await browser.newContext({ baseURL: url })
  await signInRequest(context.request, 'many-bangers@example.org')
  await answerQuestionnaire(context.request)
  const { id } = (await (await context.request.get(getCurrentUser.path)).json()) as { id: string }
  const { songs } = await makeMicrogenre(db, bangers)
  await db`
    update songs set title = 'A song of usual length ' || id, artist = 'The ' || id || ' Musicians',
      year = 1970 + id % 50, duration_ms = 180000 + id,
      youtube_id = case when id % 5 > 0 then lpad(id::text, 11, '_') end
    where id = any(${songs}::bigint[])`
  await writeRatings(db, id, songs, () => true)
  while ((await db`select from rating_changes limit 1`).length > 0) await sleep(100)
  await db`vacuum analyze`
  const state = await context.storageState()
  await context.close()
  return { state, newest: songs.at(-1) ?? '' }
}
