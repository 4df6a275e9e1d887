import { Link } from 'wouter'
import { ButtonTo } from '../ui/ButtonTo.tsx'
import { Main } from '../ui/Main.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Wordmark } from '../ui/Wordmark.tsx'
import { DemoPads } from './DemoPads.tsx'
import { Features } from './Features.tsx'
import { GenreWall } from './GenreWall.tsx'
import { HowItWorks } from './HowItWorks.tsx'

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
