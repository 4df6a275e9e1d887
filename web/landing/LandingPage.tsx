import { Link } from 'wouter'
import { Cover } from '../ui/art/Cover.tsx'
import { ButtonTo } from '../ui/controls/Button.tsx'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import { Main, SkipLink } from '../ui/page/Main.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Features } from './Features.tsx'
import { GenreWall } from './GenreWall.tsx'

/** The first page for visitors: the pitch, with the pads in the middle. */
export function LandingPage() {
  usePageTitle('Discover Music Like Never Before')
  return (
    <div data-genre="" style={{ '--genre': '#a15bd6' }}>
      <SkipLink />
      <header className="mx-auto flex h-(--size-header-phone) max-w-360 items-center justify-between px-4 wide:h-(--size-header) wide:px-6">
        <Wordmark />
        <ButtonTo to="/auth" variant="main">
          Get Started
        </ButtonTo>
      </header>
      <Main>
        <Hero />
        <GenreWall />
        <div className="mx-auto max-w-360 px-4 wide:px-6">
          <Features />
          <HowItWorks />
        </div>
      </Main>
      <footer className="mt-12 flex flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-5 text-ink-2 wide:mt-20 wide:px-6 wide:py-7">
        <Wordmark className="text-[1.05rem] text-ink" />
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
      <h1 className="landing-title">Discover Music Like Never Before</h1>
      <div className="mt-5 mb-7 grid gap-5 wide:mt-8 wide:mb-10 wide:flex wide:items-end wide:justify-between wide:gap-8">
        <p className="max-w-[44ch] text-lg text-ink-2">
          Pick a microgenre. Hear one song at a time. Say what it is.
        </p>
        <ButtonTo to="/auth" variant="accent" size="big">
          Start Discovering Music
        </ButtonTo>
      </div>
      <DemoPads />
    </section>
  )
}

/** The two pads and a cover, as decoration. */
function DemoPads() {
  return (
    <div
      aria-hidden="true"
      className="-mx-4 grid grid-cols-[4.5rem_1fr_4.5rem] gap-2 wide:mx-0 wide:h-86 wide:grid-cols-[1fr_21.5rem_1fr] wide:gap-4"
    >
      <div className={`${padStyle} rounded-r-pad bg-cold-pad text-cold wide:rounded-l-pad`}>
        <Kbd className={`${keyCapStyle} left-6`}>←</Kbd>
        <span className="demo-bust">Bust</span>
        <span className={`${edgeStyle} right-0 bg-cold`} />
      </div>
      <div className="aspect-square wide:aspect-auto">
        <Cover title="When the Sun Hits" color="#a15bd6" />
      </div>
      <div className={`${padStyle} rounded-l-pad bg-hot-pad text-hot wide:rounded-r-pad`}>
        <span className={`${edgeStyle} left-0 bg-hot`} />
        <Kbd className={`${keyCapStyle} right-6`}>→</Kbd>
        <span className="demo-banger">Banger</span>
      </div>
    </div>
  )
}

const padStyle = '@container-[size] relative overflow-hidden'
const keyCapStyle = 'absolute top-5 h-9! min-w-9! text-base! max-wide:hidden!'
const edgeStyle = 'absolute inset-y-4 w-[3px] rounded-[2px] opacity-85 wide:inset-y-5'

/** The three steps. */
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
    color: '#ffb000',
  },
  {
    title: 'Rate songs with keyboard shortcuts',
    text: 'Arrow left, arrow right, Space. On a phone your thumbs already know.',
    color: '#a15bd6',
  },
  {
    title: 'Build a library and export to playlists',
    text: 'Your bangers add up to a collection worth sharing.',
    color: '#2f9e4f',
  },
]
