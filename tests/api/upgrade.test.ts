import path from 'node:path'
import { expect, test } from 'vitest'
import { listAchievements } from '../../contract/achievements.ts'
import { getCurrentUser } from '../../contract/auth.ts'
import { listCollections } from '../../contract/collections.ts'
import { listRatings } from '../../contract/library.ts'
import { getFollowStatus, getMyStats } from '../../contract/profiles.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { loadBackup } from '../../server/db/backup/loadBackup.ts'
import { findMicrogenre, rateOn } from '../factories.ts'
import { expectRecount } from '../harness/recount.ts'
import { startApp } from '../harness/setUpApp.ts'
import { withEmptyDatabase } from '../harness/setUpDatabase.ts'
import { SIZES } from '../harness/testCatalogue.ts'
import type { Visitor } from '../harness/visitor.ts'

/*
 * Data of an earlier version, written by its own server (of commit d630f67, with the test catalogue) after these calls:
 * Ada rated 4 songs of Footwork as bangers, 7 of Zydeco as busts and all 5 of Dub Techno as bangers, began the next pass
 * there and rated 2 again, as busts. The roll-up ran. Bob rated 6 songs of Zydeco as bangers. Eve rated 3 songs of
 * Footwork as busts and removed the first. Bob follows Ada, who shares a collection and sent feedback.
 */
const FILE = path.join(import.meta.dirname, 'upgrade', 'd630f67.backup')

test('what listeners had in an earlier version is there after an upgrade, and goes on', async () => {
  await withEmptyDatabase(async (target) => {
    await loadBackup(FILE, target)
    const { app, close } = await startApp(target)
    try {
      await expectRecount(app.db)
      const [ada, bob, eve] = [await signIn('ada'), await signIn('bob'), await signIn('eve')]

      expect(await statsOf(ada)).toMatchObject({ totalRatings: 4 + 7 + 5, totalBangers: 4 + 3 })
      expect(await statsOf(bob)).toMatchObject({ totalRatings: 6, totalBangers: 6 })
      expect(await statsOf(eve)).toMatchObject({ totalRatings: 2, totalBangers: 0 })
      const { body: ratings } = await ada.call(listRatings, { query: { type: 'banger' } })
      expect(ratings.map(({ song }) => song.title.replace(/ \d+$/, '')).sort()).toEqual([
        ...Array(3).fill('Dub Techno'),
        ...Array(4).fill('Footwork'),
      ])
      expect((await ada.call(getCurrentUser)).body).toMatchObject({
        firstName: 'Ada',
        bio: 'Tabs\tand lines\nand 🎧',
        isPublic: true,
        followerCount: 1,
      })
      const types = (await ada.call(listAchievements)).body.map(({ type }) => type)
      expect(types).toEqual(expect.arrayContaining(['first_banger', 'streak_5', 'streak_10']))
      expect((await bob.call(getFollowStatus, { params: { id: ada.id } })).body).toMatchObject({
        isFollowing: true,
      })
      const collection = { name: 'Small rooms', description: 'For two.' }
      expect((await ada.call(listCollections)).body).toMatchObject([
        { ...collection, items: [{ name: 'Footwork' }] },
      ])
      const [share] = await app.db<{ token: string }[]>`select token from share_tokens`
      const shared = await app
        .visitor()
        .call(getSharedCollection, { params: { shareToken: share?.token ?? '' } })
      expect(shared.body).toMatchObject(collection)
      const written = await app.db`select message from feedback`.values()
      expect(written).toEqual([['It is loud.']])

      // Each pass goes on with the songs that were still to come, once each.
      const places = { footwork: 4, zydeco: 7, 'dub-techno': 2, 'bossa-nova': 0 }
      for (const [key, rated] of Object.entries(places) as [keyof typeof places, number][]) {
        const heard = await rateOn(ada, (await findMicrogenre(app.db, key)).id)
        expect([key, new Set(heard).size, heard.length]).toEqual([
          key,
          SIZES[key] - rated,
          SIZES[key] - rated,
        ])
      }
      await expectRecount(app.db)

      function signIn(name: string) {
        return app.signIn(`${name}@example.test`)
      }
    } finally {
      await close()
    }
  })
})

const statsOf = async (listener: Visitor) => (await listener.call(getMyStats)).body
