import type { Song } from '../../../contract/shapes.ts'
import { isWithin, linesOf } from './lines.ts'
import { showSong } from './shownSong.ts'

/** A song's words, and whether they must stand whole: what is longer may end in an ellipsis. */
export interface Words {
  title: string
  artist: string
  mayBeCut?: boolean
}

interface Shapes {
  /** Of all words of one shape the widest. */
  widest: Words[]
  /** Words that are cut off, but must not be. */
  clipped: Words[]
}

interface Drawn {
  words: Words
  /** A copy of what the page shows for them. */
  copy: Element
}

let drawn: Drawn[] = []
/** By the size of the screen. */
const known = new Map<string, Shapes>()

/** Has the page draw all these words and keeps copies of them. */
export function drawAll(words: readonly Words[], song: Song): void {
  drawn = words.map((each) => {
    showSong({ ...song, ...each })
    const copy = titleBlock().cloneNode(true) as Element
    // The pictures of its buttons move nothing, and are half of its elements.
    for (const picture of copy.querySelectorAll('svg')) picture.replaceChildren()
    return { words: each, copy }
  })
}

/** The block of title and artist. */
function titleBlock(): Element {
  const block = document.querySelector('main h1')?.parentElement
  if (!block) throw new Error('There is no title.')
  return block
}

/**
 * The shapes of all words at the present size of the screen: of what title and artist say only their heights can move
 * anything else, so thousands of songs have a dozen shapes.
 */
export function findShapes(): Shapes {
  const size = `${innerWidth} by ${innerHeight}`
  const shapes = known.get(size) ?? measureShapes()
  known.set(size, shapes)
  return shapes
}

function measureShapes(): Shapes {
  const block = titleBlock()
  const holder = document.createElement('div')
  holder.style.cssText = `position: absolute; visibility: hidden; overflow: hidden; height: 0; width: ${block.clientWidth}px`
  holder.append(...drawn.map(({ copy }) => copy))
  block.parentElement?.append(holder)
  const shapes = new Map<string, { words: Words; width: number }>()
  const clipped: Words[] = []
  for (const { words, copy } of drawn) {
    const parts = [...copy.querySelectorAll('h1, p')].map((part) => ({
      edge: part.getBoundingClientRect(),
      lines: linesOf(part),
    }))
    if (!words.mayBeCut && parts.some(({ edge, lines }) => !lines.every((line) => isWithin(line, edge))))
      clipped.push(words)
    const width = Math.max(...parts.flatMap(({ lines }) => lines.map(({ left, right }) => right - left)))
    const shape = parts.map(({ edge }) => Math.round(edge.height)).join()
    if (width > (shapes.get(shape)?.width ?? 0)) shapes.set(shape, { words, width })
  }
  holder.remove()
  return { widest: [...shapes.values()].map(({ words }) => words), clipped }
}
