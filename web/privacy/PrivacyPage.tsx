import { Link } from 'wouter'
import { config } from '../api/config.ts'
import { List, Part } from '../ui/Part.tsx'
import { ReadingPage } from '../ui/ReadingPage.tsx'
import { Collected } from './Collected.tsx'
import { Contact } from './Contact.tsx'

/** What is stored about a listener, why and for how long, their rights, and who runs the service (screens-9). */
export function PrivacyPage() {
  return (
    <ReadingPage title="Privacy policy" note="Last updated January 2025">
      <Collected />
      <Part title="Use">
        <p>
          Your ratings choose the next song, fill your library and count in your statistics, your achievements
          and the community numbers, which name nobody. They also count in{' '}
          <Link href="/fairness" className="underline underline-offset-3 hover:text-ink">
            how fairly songs are heard
          </Link>
          , which everybody may read. Together with those of others they say which microgenres are
          recommended. Your e-mail address signs you in. Your profile is seen by others only after you made it
          public. A collection or an achievement that you share shows your name and your picture to whoever
          has its link; the link ends when you delete your account. Reports of videos that did not play help
          to find broken ones.
        </p>
      </Part>
      <Part title="Security">
        <p>
          You sign in with a magic link by e-mail or through a provider you already use. No passwords are
          stored. A magic link works once and expires after 15 minutes. The server's log names neither people
          nor their addresses.
        </p>
      </Part>
      <ThirdParties />
      <Rights />
      <Contact />
    </ReadingPage>
  )
}

function ThirdParties() {
  const { openIdName } = config
  const others = openIdName ? `Google, Facebook or ${openIdName}` : 'Google or Facebook'
  return (
    <Part title="Third-party services">
      <List>
        <li>
          A video provider: songs are played in the embedded player of YouTube, which then sees your visit.
        </li>
        <li>
          A music provider: Deezer, and Spotify, for previews and for finding songs. Previews come from the
          hosts of these providers, which then see your network address. Covers are copied once, from Deezer
          and the Cover Art Archive: neither sees who looks at them.
        </li>
        <li>E-mail delivery: the service that brings you sign-in links.</li>
        <li>
          Replit-based authentication, and {others}, when you choose to sign in with them. Your picture there
          is copied once: nobody who looks at your profile is seen by them.
        </li>
        <li>
          The services under ‘Hear it elsewhere’: only when you press a link to one, which opens its page.
        </li>
        <li>Box, Dropbox, Google Drive, Facebook or Unsplash, when you fetch your photo from there.</li>
      </List>
    </Part>
  )
}

function Rights() {
  return (
    <Part title="User rights">
      <List>
        <li>
          Access: your profile shows what is kept about you. ‘Download my data’, under ‘Your data’, gives you
          all of it in one file, without the magic links and the numbers of calls, which are soon deleted.
        </li>
        <li>
          Delete your account with ‘Delete my account’. Everything that is kept about you goes with it, at
          once: ratings, progress, follows, collections, shared links, achievements, answers, messages,
          reports, sign-ins, picture and files. The community numbers are reduced by your ratings. What
          remains are messages that were already mailed to the operator, and backups until they are deleted.
        </li>
        <li>
          Opt out of e-mails with ‘No e-mails’, except the sign-in links that you request. Your feedback then
          reaches the operator without your address.
        </li>
        <li>Download your ratings as a file with ‘Download my ratings’.</li>
      </List>
    </Part>
  )
}
