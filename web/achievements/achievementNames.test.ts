import { describe, expect, test } from 'vitest'
import { RARITIES } from '../../contract/achievements.ts'
import {
  achievementName,
  announcementOf,
  announcementOfAll,
  compactAchievementName,
} from './achievementNames.ts'
import { rarityOf } from './rarity.ts'

describe('names', () => {
  test.each([
    ['first_banger', 'First Banger Found!'],
    ['microgenre_master', 'Microgenre Master'],
    ['streak_5', '5 Song Streak'],
    ['streak_10', '10 Song Streak'],
    ['streak_25', '25 Song Streak'],
    ['explorer', 'Music Explorer'],
    ['critic', 'Music Critic'],
    ['enthusiast', 'Music Enthusiast'],
  ])('%s is %s (community-9)', (type, name) => {
    expect(achievementName(type)).toBe(name)
    expect(compactAchievementName(type)).toBe(name)
  })

  test.each(['xyz', 'toString', '__proto__', ''])('any other type, here "%s" (community-9)', (type) => {
    expect(achievementName(type)).toBe('Achievement Unlocked')
    expect(compactAchievementName(type)).toBe('Special')
    expect(rarityOf(type)).toBeNull()
  })
})

describe('announcements', () => {
  test('several at once are one sentence, and more than three are counted (community-14)', () => {
    expect(announcementOfAll(['A'])).toBe('A')
    expect(announcementOfAll(['A', 'B', 'C'])).toBe('A, B and C')
    expect(announcementOfAll(['A', 'B', 'C', 'D'])).toBe('A, B and 2 more')
  })

  test('the display name (community-14)', () => {
    expect(announcementOf({ type: 'first_banger', metadata: {} })).toBe('First Banger Found!')
  })

  test('a master of a microgenre is announced with its name (community-14)', () => {
    const metadata = { microgenreName: 'dub techno' }
    expect(announcementOf({ type: 'microgenre_master', metadata })).toBe('Microgenre Master: dub techno')
    expect(announcementOf({ type: 'microgenre_master', metadata: {} })).toBe('Microgenre Master')
    expect(announcementOf({ type: 'explorer', metadata })).toBe('Music Explorer')
  })
})

test('each of the eight has its rarity (community-15)', () => {
  expect(Object.keys(RARITIES).map(rarityOf)).toEqual(Object.values(RARITIES))
})
