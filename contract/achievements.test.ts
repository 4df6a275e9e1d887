import { expect, test } from 'vitest'
import { achievementName, compactAchievementName } from './achievements.ts'

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
})
