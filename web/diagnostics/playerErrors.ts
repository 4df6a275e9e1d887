/** The video player's error codes, and what playback does about them (playback-12). */
export const playerErrors = [
  { code: '2', meaning: 'The id is invalid.', reaction: 'Goes to the preview at once.' },
  { code: '5', meaning: 'The player itself failed.', reaction: 'Tries the next way of embedding.' },
  {
    code: '100',
    meaning: 'Not found, or private.',
    reaction: 'Goes to the preview at once.',
  },
  {
    code: '101',
    meaning: 'Embedding is not allowed by the owner.',
    reaction: 'Tries the next way of embedding.',
  },
  {
    code: '150',
    meaning: 'Cannot be embedded: another code with the meaning of 101.',
    reaction: 'Tries the next way of embedding.',
  },
  {
    code: '153',
    meaning:
      'YouTube was not told which page embeds the video. A proxy or an extension may strip the referrer.',
    reaction: 'Tries the next way of embedding.',
  },
  {
    code: '10 s',
    meaning: 'The player did not load in time. A filter or a network may block YouTube.',
    reaction: 'Goes to the preview.',
  },
] as const
