import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import { buttonLook } from '../ui/Button.tsx'
import { Main } from '../ui/Main.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Wordmark } from '../ui/Wordmark.tsx'
import { Contact } from './Contact.tsx'
import { List, Part } from './Part.tsx'

/** What is stored about a listener, why, and their rights (screens-9, people-18). */
export function PrivacyPage() {
  usePageTitle('Privacy policy')
  return (
    <>
      <SkipLink />
      <header className="flex h-(--size-header-phone) items-center gap-2 px-1 wide:h-(--size-header) wide:px-6">
        <Link href="/" className={buttonLook({ variant: 'bare', size: 'tight' })}>
          <ArrowLeft className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Back to home
        </Link>
        <Wordmark className="ml-auto pr-3 text-[1.05rem] max-[21rem]:hidden" />
      </header>
      <Main className="mx-auto grid max-w-[65ch] gap-8 px-4 pt-6 pb-16 text-base wide:pt-12">
        <div className="grid gap-2">
          <h1>Privacy policy</h1>
          <p className="text-sm text-ink-2">Last updated January 2025</p>
        </div>
        <Collected />
        <Part title="Use">
          <p>
            Your ratings choose the next song, fill your library and count in your statistics, your
            achievements and the community numbers, which name nobody. Your e-mail address signs you in. Your
            profile is seen by others only after you made it public. A collection or an achievement that you
            share shows your name and your picture to whoever has its link; the link ends when you delete your
            account.
          </p>
        </Part>
        <Part title="Security">
          <p>
            You sign in with a magic link by e-mail or through a provider you already use. No passwords are
            stored. A magic link works once and expires after 15 minutes.
          </p>
        </Part>
        <ThirdParties />
        <Rights />
        <Contact />
      </Main>
    </>
  )
}

function Collected() {
  return (
    <Part title="Information collected">
      <List>
        <li>Your e-mail address.</li>
        <li>Your ratings: which songs you called a banger or a bust, and when.</li>
        <li>Your listening progress: how far you heard a song.</li>
        <li>
          Your basic profile from social sign-in, if you sign in that way: your name, your e-mail address and
          your picture.
        </li>
      </List>
    </Part>
  )
}

function ThirdParties() {
  return (
    <Part title="Third-party services">
      <List>
        <li>
          A video provider: songs are played in the embedded player of YouTube, which then sees your visit.
        </li>
        <li>A music provider: Deezer, and Spotify, for previews and for finding songs.</li>
        <li>E-mail delivery: the service that brings you sign-in links.</li>
        <li>Replit-based authentication, and Google or Facebook, when you choose to sign in with them.</li>
      </List>
    </Part>
  )
}

function Rights() {
  return (
    <Part title="User rights">
      <List>
        <li>Access: your profile shows what is kept about you, under ‘Your data’.</li>
        <li>
          Delete your account with ‘Delete my account’. Your ratings, follows, collections, shared links,
          achievements and picture go with it.
        </li>
        <li>Opt out of e-mails, except the sign-in links that you request.</li>
        <li>Download your ratings as a file with ‘Download my ratings’.</li>
      </List>
    </Part>
  )
}
