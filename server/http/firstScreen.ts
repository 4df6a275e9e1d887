import type { OfferedSong } from '../../contract/discovery.ts'
import { escapeHtml } from './pageExtras.ts'

export type FirstSong = Pick<OfferedSong, 'albumArt' | 'color' | 'youtubeId' | 'youtubeBlocked'>

/**
 * The main screen until its code is there (screens-23): the keys, and the place of a video. As in web/discovery/Pad.tsx,
 * PlayerView.tsx and web/app/HomeScreen.tsx, so that nothing moves when React replaces it.
 */
export function firstScreen({ color, youtubeId, youtubeBlocked }: FirstSong): string {
  return `
    <div data-genre="" style="--genre: ${escapeHtml(color)}" class="min-h-svh bg-accent-wash">
      <div class="h-(--size-header-phone) wide:h-(--size-header)"></div>
      <main>
        <p class="sr-only">Loading...</p>
        <div aria-hidden="true">
          <div data-stage="" class="stage">${KEYS}</div>
        </div>
      </main>
    </div>
    ${youtubeId && !youtubeBlocked ? '<aside data-frame="" class="video-frame"></aside>' : ''}`
}

const key = (place: string, word: string, edge: string) =>
  `<div class="stage-${place}">
    <div class="pad ${edge} ${OFF}"><span class="absolute whitespace-nowrap pad-${place}">${word}</span></div>
  </div>`

const OFF = 'bg-[color-mix(in_oklab,var(--ink)_3.5%,var(--accent-wash))] text-ink-3'

const KEYS =
  key('bust', 'BUST', 'standing:rounded-l-none low:rounded-l-none') +
  key('banger', 'BANGER', 'standing:rounded-r-none low:rounded-r-none')
