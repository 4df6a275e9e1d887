import { findFaults } from './findFaults.ts'
import { drawAll } from './shapes.ts'
import { showSong } from './shownSong.ts'

/** What a test can do in the page. */
export const stage = { showSong, drawAll, findFaults }

declare global {
  interface Window {
    stage: typeof stage
  }
}
