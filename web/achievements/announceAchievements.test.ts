import { expect, test } from 'vitest'
import { RARITIES } from '../../contract/achievements.ts'
import { achievementRarity } from './AchievementMedal.tsx'
import { announcementText } from './announceAchievements.ts'

test('the display name (community-14)', () => {
  expect(announcementText({ type: 'first_banger', metadata: {} })).toBe('First Banger Found!')
})

test('a master of a microgenre is announced with its name (community-14)', () => {
  const metadata = { microgenreName: 'dub techno' }
  expect(announcementText({ type: 'microgenre_master', metadata })).toBe('Microgenre Master: dub techno')
  expect(announcementText({ type: 'microgenre_master', metadata: {} })).toBe('Microgenre Master')
  expect(announcementText({ type: 'microgenre_master', metadata: null })).toBe('Microgenre Master')
  expect(announcementText({ type: 'explorer', metadata })).toBe('Music Explorer')
})

test('each of the eight has its rarity, any other type none (community-15)', () => {
  expect(Object.keys(RARITIES).map(achievementRarity)).toEqual(Object.values(RARITIES))
  expect(['xyz', 'toString', '__proto__', ''].map(achievementRarity)).toEqual([null, null, null, null])
})
