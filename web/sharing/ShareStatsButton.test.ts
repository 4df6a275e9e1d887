import { expect, test } from 'vitest'
import { statsText } from './ShareStatsButton.tsx'

test('figures, and the favourite where there is one', () => {
  expect(statsText({ totalBangers: 1264, totalRatings: 2210, favoriteMicrogenre: 'chillwave' })).toBe(
    'I found 1,264 bangers in 2,210 songs on Banger or Bust. My favourite microgenre is chillwave.',
  )
  expect(statsText({ totalBangers: 1, totalRatings: 1, favoriteMicrogenre: null })).toBe(
    'I found 1 banger in 1 song on Banger or Bust.',
  )
})
