/* Texts about what the player does when videos fail (diagnostics-16, playback-11). */

export const optimizations = [
  { name: 'Smart fallbacks', words: 'When one way of embedding fails, the next is tried by itself.' },
  { name: 'Minimal parameters', words: 'The second try leaves out everything that a video may refuse.' },
  { name: 'No-cookie host', words: 'The third try asks youtube-nocookie.com.' },
  { name: 'Preview fallback', words: 'When every way failed, a 30-second preview plays.' },
  { name: 'Skip blocked videos', words: 'A video that failed for several listeners is not tried again.' },
] as const

export const embeddingStrategies = [
  { name: 'Full embed', words: 'With controls and the address of this page.' },
  { name: 'Minimal embed', words: '500 ms after the first failure, with as little as possible.' },
  { name: 'No-cookie host', words: '1000 ms after the second, from youtube-nocookie.com.' },
  { name: 'Spotify preview', words: 'After three ways at most: half a minute of the song, found at Deezer.' },
] as const

export const recommendations = [
  'About 70 percent of stored videos fail embedding. Verify the catalogue, and replace what is blocked.',
  'Spotify previews exist for about 30 to 50 percent of tracks; do not rely on them alone.',
  "Prefer the label's or the artist's own upload: it stays, and its title matches.",
  'Error 150: this upload cannot be embedded. Another one of the same recording often can.',
] as const
