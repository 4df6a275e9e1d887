import { box, brand, column, type Element, footer, image, isRightToLeft, text } from './element.ts'
import { splitGraphemes } from './graphemes.ts'
import { accentOf, HOT, INK, INK_2, LINE, PAPER } from './inks.ts'
import { mapStory } from './mapStory.ts'
import { FORMATS, type Genre, type Picture, type Subject } from './picture.ts'
import { medal, mosaic } from './svg.ts'

/** The picture as elements for satori, always in the dark scheme. */
export function layOut({ format, subject, site }: Picture): Element {
  const { width, height } = FORMATS[format]
  const page = { width, height, background: PAPER, color: INK, fontWeight: 500 }
  if (subject.kind === 'map') return mapStory(page, subject, site)
  return format === 'preview' ? preview(page, subject) : story(page, subject, site)
}

/** All subjects but the map. */
type CardSubject = Exclude<Subject, { kind: 'map' }>

type Page = Record<string, string | number>

/** Texts on the left, the drawing on the right, up to the edges. */
function preview(page: Page, subject: CardSubject): Element {
  return box(
    page,
    column(
      { width: 570, padding: '52px 32px 48px 56px', justifyContent: 'space-between' },
      brand(30),
      column({ gap: 18 }, tag(subject, 20), heading(subject, 1), ...details(subject, 1)),
      creatorLine(subject, 22),
    ),
    box({ width: 630, height: 630, alignItems: 'center', justifyContent: 'center' }, drawing(subject, 630)),
  )
}

/** The drawing up to the edges; below it the texts, where Instagram covers nothing; the site's address at the end. */
function story(page: Page, subject: CardSubject, site: string): Element {
  const { width } = FORMATS.story
  return column(
    page,
    subject.kind === 'stats'
      ? null
      : box(
          { width, height: STORY_ART_HEIGHT, alignItems: 'center', justifyContent: 'center' },
          storyArt(subject),
        ),
    column(
      {
        flexGrow: 1,
        padding: subject.kind === 'stats' ? '270px 80px 120px' : '60px 80px 120px',
        justifyContent: 'space-between',
        gap: 24,
      },
      column({ gap: 28 }, tag(subject, 32), heading(subject, 1.6), ...details(subject, 1.6)),
      creatorLine(subject, 36),
      footer(site),
    ),
  )
}

const STORY_ART_HEIGHT = 900

const storyArt = (subject: CardSubject) =>
  subject.kind === 'collection' && subject.genres.length > 0
    ? image(mosaic(subject.genres), FORMATS.story.width, STORY_ART_HEIGHT, { objectFit: 'cover' })
    : drawing(subject, STORY_ART_HEIGHT)

function drawing(subject: CardSubject, side: number): Element | null {
  if (subject.kind === 'stats') return null
  if (subject.kind === 'collection' && subject.genres.length > 0) {
    return image(mosaic(subject.genres), side, side)
  }
  if (subject.kind === 'microgenre') return image(mosaic([subject.genre]), side, side)
  const size = side * 0.6
  const medalType = subject.kind === 'achievement' ? subject.type : ''
  return box({ justifyContent: 'center' }, image(medal(medalType), size, size))
}

function tag(subject: CardSubject, size: number): Element | null {
  if (subject.kind === 'stats') return null
  const color = accentFor(subject)
  return box(
    {
      alignSelf: 'flex-start',
      padding: `${size * 0.3}px ${size * 0.6}px`,
      border: `${size / 12}px solid ${color}`,
      borderRadius: size / 4,
      fontSize: size,
      fontWeight: 700,
      color,
    },
    text((subject.kind === 'collection' && subject.badge) || TAGS[subject.kind], 1, {}),
  )
}

const TAGS = {
  collection: 'Shared Collection',
  achievement: 'Achievement Unlocked',
  microgenre: 'Microgenre',
}

function accentFor(subject: CardSubject): string {
  if (subject.kind === 'collection' && subject.genres[0]) return accentOf(subject.genres[0].color)
  if ('genre' in subject && subject.genre) return accentOf(subject.genre.color)
  return subject.kind === 'achievement' && subject.type === 'first_banger' ? HOT : INK_2
}

function heading(subject: CardSubject, scale: number): Element | null {
  if (subject.kind === 'stats') return null
  const size = headingSize(subject.name) * scale
  return text(subject.name, 3, {
    fontFamily: 'Display',
    fontWeight: 800,
    fontSize: size,
    lineHeight: TALL_SCRIPTS.test(subject.name) ? 1.5 : 1.12,
    letterSpacing: LATIN_PATTERN.test(subject.name) ? -size / 80 : 0,
  })
}

/** Scripts with letters or marks above each other. */
const TALL_SCRIPTS =
  /[\p{Script=Arabic}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Tibetan}]/u

/** Only Latin letters are spaced, because others may be joined. */
const LATIN_PATTERN = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{C}]*$/u

/** The font size of a name on a preview in pixels: shorter names are larger. Wide letters count twice. */
function headingSize(name: string): number {
  const length = splitGraphemes(name).reduce(
    (sum, grapheme) => sum + (WIDE_PATTERN.test(grapheme) ? 2 : 1),
    0,
  )
  if (length <= 12) return 72
  if (length <= 26) return 60
  return length <= 48 ? 48 : 40
}

const WIDE_PATTERN = /^[\u1100-\uffdc\u{12000}-\u{14646}\u{1f000}-\u{3ffff}]/u

/** Genres listed by name; the rest is a number. */
const MAX_LISTED_GENRES = 4

function details(subject: CardSubject, scale: number): (Element | null)[] {
  const size = 26 * scale
  if (subject.kind === 'achievement') {
    return [
      subject.text === null
        ? null
        : text(subject.text, 2, { fontSize: size, lineHeight: 1.35, color: INK_2 }),
      subject.genre && genreLine(subject.genre, size),
    ]
  }
  if (subject.kind === 'microgenre')
    return [text(subject.text, 4, { fontSize: size, lineHeight: 1.35, color: INK_2 })]
  if (subject.kind === 'collection') {
    const more = subject.genres.length - MAX_LISTED_GENRES
    return [
      column(
        { gap: size * 0.3 },
        ...subject.genres.slice(0, MAX_LISTED_GENRES).map((genre) => genreLine(genre, size)),
        more > 0 ? text(`and ${more} more`, 1, { fontSize: size * 0.85, color: INK_2 }) : null,
      ),
    ]
  }
  return [
    figure(subject.bangers.toLocaleString('en'), 'Bangers', HOT),
    figure(subject.rated.toLocaleString('en'), 'Songs rated', INK),
    subject.favourite === null ? null : figure(subject.favourite, 'Favourite microgenre', INK),
  ]
}

function genreLine({ name, color }: Genre, size: number): Element {
  const accent = accentOf(color)
  const dot = size * 0.5
  return box(
    {
      flexDirection: isRightToLeft(name) ? 'row-reverse' : 'row',
      alignItems: 'center',
      gap: size * 0.5,
      fontSize: size,
      fontWeight: 700,
      color: accent,
    },
    box({ width: dot, height: dot, borderRadius: dot, background: accent }),
    text(name, 1, { flexGrow: 1, flexBasis: 0 }),
  )
}

function figure(value: string, name: string, color: string): Element {
  const size = value.length <= 6 ? 220 : value.length <= 18 ? 96 : 72
  return column(
    { paddingBottom: 40, borderBottom: `3px solid ${LINE}`, marginBottom: 24 },
    text(value, 2, { fontFamily: 'Display', fontWeight: 800, fontSize: size, lineHeight: 1.12, color }),
    text(name, 1, { fontSize: 44, color: INK_2 }),
  )
}

const creatorLine = (subject: CardSubject, size: number) =>
  text(subject.creator, 1, { fontSize: size, fontWeight: 700, color: INK_2 })
