import { Link } from 'wouter'
import { config } from '../api/config.ts'
import { Cover } from '../ui/art/Cover.tsx'
import { ButtonTo } from '../ui/controls/Button.tsx'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import { Main, SkipLink } from '../ui/page/Main.tsx'
import { PageHeader } from '../ui/page/Page.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Features } from './Features.tsx'
import { genreColors } from './genreColors.ts'

/** What visitors see first: the pitch, the pads, and how it works. */
export function LandingPage() {
  usePageTitle('Discover Music Like Never Before')
  return (
    <div data-genre="" style={{ '--genre': genreColors.shoegaze }} className="bg-paper">
      <SkipLink />
      <PageHeader home={<Wordmark />} className="mx-auto max-w-360">
        <ButtonTo to="/auth" variant="main" className="my-1 mr-2 ml-auto wide:mr-0">
          Get Started
        </ButtonTo>
      </PageHeader>
      <Main>
        <Hero />
        <GenreWall />
        <div className="mx-auto max-w-360 px-4 wide:px-6">
          <Features />
          <HowItWorks />
        </div>
      </Main>
      <footer className="mt-12 flex flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-5 text-ink-2 wide:mt-20 wide:px-6 wide:py-7">
        <Wordmark />
        <Link href="/privacy" className="py-3 underline underline-offset-3 hover:text-ink">
          Privacy policy
        </Link>
      </footer>
    </div>
  )
}

function Hero() {
  return (
    <section className="mx-auto max-w-360 px-4 pt-7 wide:px-6 wide:pt-13">
      <h1 className="max-w-[13ch] text-[2.7rem]/none font-extrabold tracking-[-0.025em] text-wrap font-stretch-118% wide:text-[clamp(2.75rem,7.1vw,6.5rem)]/[0.95] wide:font-stretch-132%">
        Discover Music Like Never Before
      </h1>
      <div className="mt-5 mb-7 grid gap-5 wide:mt-8 wide:mb-10 wide:flex wide:items-end wide:justify-between wide:gap-8">
        <p className="max-w-[44ch] text-lg text-ink-2">
          Pick a microgenre. Hear one song at a time. Say what it is.
        </p>
        <div className="flex flex-none flex-wrap gap-3">
          <ButtonTo to="/auth" variant="accent" size="big">
            Start Discovering Music
          </ButtonTo>
          {config.visitors && (
            <ButtonTo to="/try" size="big">
              Hear one first
            </ButtonTo>
          )}
        </div>
      </div>
      <DemoPads />
    </section>
  )
}

/** The player as decoration: two pads and a cover. */
function DemoPads() {
  return (
    <div
      aria-hidden="true"
      className="-mx-4 grid grid-cols-[4.5rem_1fr_4.5rem] gap-2 wide:mx-0 wide:h-86 wide:grid-cols-[1fr_21.5rem_1fr] wide:gap-4"
    >
      <div className={`${padStyle} rounded-r-pad bg-cold-pad text-cold wide:rounded-l-pad`}>
        <Kbd className={`${keyCapStyle} left-6`}>←</Kbd>
        <span
          className={`${padWordStyle} text-[92cqw] leading-[0.74] font-normal tracking-[0.01em] font-stretch-50% wide:bottom-6 wide:left-6 wide:translate-x-0 wide:translate-y-[0.053em] wide:text-[min(58cqw,52cqh)]`}
        >
          Bust
        </span>
        <span className={`${edgeStyle} right-0 bg-cold`} />
      </div>
      <div className="aspect-square wide:aspect-auto">
        <Cover title="When the Sun Hits" color={genreColors.shoegaze} />
      </div>
      <div className={`${padStyle} rounded-l-pad bg-hot-pad text-hot wide:rounded-r-pad`}>
        <span className={`${edgeStyle} left-0 bg-hot`} />
        <Kbd className={`${keyCapStyle} right-6`}>→</Kbd>
        {/* Upright on a phone, where the pad is a strip. 6.62 is the width of the word over its size. */}
        <span
          className={`${padWordStyle} rotate-180 text-[calc((100cqh-2.75rem)/6.62)] leading-none font-black font-stretch-150% [writing-mode:vertical-rl] wide:right-6 wide:bottom-7 wide:left-auto wide:translate-x-0 wide:rotate-0 wide:text-[calc((100cqw-3rem)/6.62)] wide:leading-[0.74] wide:[writing-mode:horizontal-tb]`}
        >
          Banger
        </span>
      </div>
    </div>
  )
}

const padStyle = '@container-[size] relative overflow-hidden'
const keyCapStyle = 'absolute top-5 h-9! border-current min-w-9! text-base! max-wide:hidden!'
const padWordStyle = 'absolute bottom-5 left-1/2 -translate-x-1/2 font-display uppercase'
const edgeStyle = 'absolute inset-y-4 w-[3px] rounded-[2px] opacity-85 wide:inset-y-5'

/** Names of microgenres in their colours and in several widths and weights, as decoration. */
function GenreWall() {
  return (
    <div aria-hidden="true" className="my-10 overflow-hidden border-y border-line py-4 wide:my-18 wide:py-7">
      {rows.map(({ from, firstStyle, indent }) => (
        <p
          key={from}
          className="font-display text-[1.375rem]/[2.125rem] whitespace-nowrap wide:text-[2.125rem]/[3.25rem]"
          style={{ marginLeft: indent }}
        >
          {genres.slice(from, from + 14).map(([name, color], i) => {
            const [fontStretch, fontWeight] = fontStyles[(i + firstStyle) % fontStyles.length] ?? [
              '100%',
              700,
            ]
            return (
              <span
                key={name}
                dir="auto"
                data-genre=""
                className="mr-7 text-accent"
                style={{ '--genre': color, fontStretch, fontWeight }}
              >
                {name}
              </span>
            )
          })}
        </p>
      ))}
    </div>
  )
}

const rows = [
  { from: 0, firstStyle: 0, indent: '-2rem' },
  { from: 6, firstStyle: 5, indent: '-9rem' },
  { from: 12, firstStyle: 3, indent: '-5rem' },
]

const fontStyles: readonly (readonly [stretch: string, weight: number])[] = [
  ['90%', 600],
  ['60%', 900],
  ['118%', 300],
  ['75%', 800],
  ['150%', 700],
  ['100%', 900],
  ['66%', 500],
  ['140%', 200],
]

const genres = Object.entries(genreColors)

function HowItWorks() {
  return (
    <section className="mt-18">
      <h2 className="text-2xl">How It Works</h2>
      <ol className="mt-8 grid gap-4 roomy:grid-cols-3">
        {steps.map(({ title, text, color }, i) => (
          <li
            key={title}
            data-genre=""
            style={{ '--genre': color }}
            className="grid grid-cols-[3.25rem_1fr] items-start gap-3 border-t border-line pt-5 wide:gap-5"
          >
            <span
              aria-hidden="true"
              className="font-display text-[3.25rem]/[0.8] font-black text-accent font-stretch-90% wide:text-[4.5rem]/[0.8]"
            >
              {i + 1}
            </span>
            <div className="grid gap-1">
              <h3>{title}</h3>
              <p className="text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const steps = [
  {
    title: 'Choose a microgenre',
    text: 'There are dozens, and one is picked for you if you cannot decide.',
    color: genreColors['bossa nova'],
  },
  {
    title: 'Rate songs with keyboard shortcuts',
    text: 'Arrow left, arrow right, Space. On a phone your thumbs already know.',
    color: genreColors.shoegaze,
  },
  {
    title: 'Build a library and export to playlists',
    text: 'Your bangers add up to a collection worth sharing.',
    color: genreColors.dub,
  },
]
