const OFF = 'bg-[color-mix(in_oklab,var(--ink)_3.5%,var(--accent-wash))] text-ink-3'

/** A key as in web/discovery/player/Pad.tsx, while it cannot be pressed. */
const key = (place: string, word: string, edge: string) => `
          <div class="stage-${place}" aria-hidden="true">
            <div class="pad ${edge} ${OFF}"><span class="absolute whitespace-nowrap pad-${place}">${word}</span></div>
          </div>`

/** As titleLook in web/discovery/player/SongInfo.tsx chooses it for 'Loading next song...'. */
const TITLE =
  'text-[clamp(1.125rem,8cqi,2.5rem)] leading-[1.15] [font-stretch:104%] @max-xs:[font-stretch:88%] low:text-[1.25rem]'

/**
 * The main screen of a listener until its code is there (screens-23). As in web/app/HomeScreen.tsx, and in
 * web/discovery/player/PlayerView.tsx while a song loads, so that nothing moves when React replaces it.
 */
export const FIRST_SCREEN = `
    <div class="min-h-svh bg-accent-wash">
      <div class="h-(--size-header-phone) wide:h-(--size-header)"></div>
      <main>
        <div data-stage="" class="stage">${key('bust', 'BUST', 'standing:rounded-l-none low:rounded-l-none')}
          <div class="stage-column">
            <div class="stage-record">
              <span class="block size-full rounded-art bg-[color-mix(in_oklab,var(--ink)_6%,var(--accent-wash))]"></span>
            </div>
            <div class="song-words">
              <div class="grid gap-1">
                <div class="relative h-[3px] rounded-[1px]"><div class="progress-track absolute inset-0 bg-ink/14"></div></div>
                <div class="progress-times flex text-2xs text-ink-2 tabular-nums"><span>0:00</span></div>
              </div>
              <div class="song-names">
                <p role="status" class="col-span-full font-display font-bold ${TITLE}">Loading...</p>
              </div>
            </div>
            <p class="stage-touch-hint">Swipe the art right for banger, left for bust. Tap it to play or pause.</p>
          </div>${key('banger', 'BANGER', 'standing:rounded-r-none low:rounded-r-none')}
        </div>
      </main>
    </div>`
