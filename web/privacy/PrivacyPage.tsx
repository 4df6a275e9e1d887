import { Link } from 'wouter'
import { contactOperator } from '../../contract/feedback.ts'
import { config } from '../api/config.ts'
import { MessageForm } from '../feedback/FeedbackDialog.tsx'
import { BulletList, ReadingPage, ReadingSection } from '../ui/page/ReadingPage.tsx'

/** What is stored about a listener, why and for how long, their rights, and who runs the service (screens-9). */
export function PrivacyPage() {
  return (
    <ReadingPage title="Privacy policy" note="Last updated January 2025">
      <Collected />
      <ReadingSection title="Use">
        <p>
          Your ratings choose the next song, fill your library and count in your statistics, your achievements
          and the community numbers, which name nobody. They also count in{' '}
          <Link href="/fairness" className="underline underline-offset-3 hover:text-ink">
            how fairly songs are heard
          </Link>
          , which everybody may read. Together with those of others they say which microgenres are
          recommended. Your e-mail address signs you in. Your profile is seen by others only after you made it
          public. A collection, a mix, an achievement or a blind round that you share shows your name and your
          picture to whoever has its link, a round also how you rated its songs; the link ends when you delete
          your account. Reports of videos that did not play help to find broken ones.
        </p>
      </ReadingSection>
      <ReadingSection title="Security">
        <p>
          You sign in with a magic link by e-mail or through a provider you already use. No passwords are
          stored. A magic link, or its code, works once and expires after 15 minutes. The server's log names
          neither people nor their addresses.
        </p>
      </ReadingSection>
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
    <ReadingSection title="Third-party services">
      <BulletList>
        <li>
          A video provider: songs are played in the embedded player of YouTube, which then sees your visit.
          Pictures of songs without a cover come from YouTube's host, also on pages where nothing plays: it
          then sees your network address.
        </li>
        <li>
          A music provider: Deezer, and Spotify, for previews and for finding songs. Previews come from the
          hosts of these providers, which then see your network address. Covers are copied once, from Deezer
          and the Cover Art Archive: neither sees who looks at them.
        </li>
        <li className="wrap-anywhere">
          The hosts of whole recordings ({config.audioHosts.join(', ')}): a song that is played from there
          lets them see your network address.
        </li>
        <li>E-mail delivery: the service that brings you sign-in links.</li>
        <li>
          Replit-based authentication, and {others}, when you choose to sign in with them. Your picture there
          is copied once: nobody who looks at your profile is seen by them.
        </li>
        <li>
          The services under ‘Hear it elsewhere’: only when you press a link to one, which opens its page.
        </li>
        <li>
          ListenBrainz, or the service that takes its place here: if you link your account there, it gets your
          ratings and the playlists that you send.
        </li>
        <li>Box, Dropbox, Google Drive, Facebook or Unsplash, when you fetch your photo from there.</li>
      </BulletList>
    </ReadingSection>
  )
}

function Rights() {
  return (
    <ReadingSection title="User rights">
      <BulletList>
        <li>
          Access: your profile shows what is stored about you. ‘Download my data’, under ‘Your data’, gives
          you all of it in one file, except the magic links and the counts of calls, which are soon deleted.
        </li>
        <li>
          Delete your account with ‘Delete my account’. Everything stored about you is deleted with it, at
          once: ratings, progress, follows, collections, mixes, shared links, achievements, answers, messages,
          suggestions, reports, sign-ins, tokens, picture and files. The community numbers are reduced by your
          ratings. What remains, without your name: suggestions that were approved or that others voted for,
          and the record that something was decided about you. And messages that were already mailed to the
          operator, and backups until they are deleted.
        </li>
        <li>
          Remove a song from your library: its rating is deleted. For a week the removal stays recorded, so
          that your other devices apply it. How far you heard the song and your achievements stay.
        </li>
        <li>
          Opt out of e-mails with ‘No e-mails’, except the sign-in links that you request. Your feedback then
          reaches the operator without your address.
        </li>
        <li>Download your ratings as a file with ‘Download my ratings’.</li>
      </BulletList>
    </ReadingSection>
  )
}

/** Who runs the service, and how to reach them, also without an account (screens-9, people-25). */
function Contact() {
  const { contactEmail, operatorName } = config
  return (
    <ReadingSection title="Contact">
      <p className="wrap-anywhere">
        {operatorName
          ? `This service is run by ${operatorName}.`
          : `Whoever runs this service at ${location.host} has not given a name.`}
      </p>
      {contactEmail ? (
        <p>
          Write to{' '}
          <a href={`mailto:${contactEmail}`} className="wrap-anywhere underline underline-offset-3">
            {contactEmail}
          </a>
          .
        </p>
      ) : (
        <>
          <p>
            Write to them here, with or without an account. Their answer comes by e-mail, unless you chose ‘No
            e-mails’.
          </p>
          <div className="text-ink">
            <MessageForm endpoint={contactOperator} initialEmail="" submitLabel="Send message" />
          </div>
        </>
      )}
    </ReadingSection>
  )
}

/** What is stored, and for how long. */
function Collected() {
  return (
    <ReadingSection title="Information collected">
      <BulletList>
        <li>Your e-mail address.</li>
        <li>Your ratings: which songs you called a banger or a bust, and when.</li>
        <li>Your listening progress: how far you heard a song.</li>
        <li>
          Your basic profile from social sign-in, if you sign in that way: your name, your e-mail address and
          your picture.
        </li>
      </BulletList>
      <p>And, as you use the service:</p>
      <BulletList label="Also collected">
        <li>
          What you enter: your name, bio, photo and settings, files, whom you follow, collections, mixes and
          shared links with the number of their views, answers to the questionnaire, and messages to the
          operator.
        </li>
        <li>
          Of files that you bring from elsewhere: the songs, what you said of them, when, and how often you
          played them. Nothing else in them is stored.
        </li>
        <li>Which songs you put off or let go with ‘Not now’, and when.</li>
        <li>
          What follows from your ratings: achievements, statistics, and four numbers that stand for what you
          like.
        </li>
        <li>
          Your blind round, until you stop sharing it: its songs, and the results that visitors show you, with
          the name that they typed.
        </li>
        <li>The invitation that you joined with, if you did.</li>
        <li>
          Your devices and sessions: the browser and system that you signed in with, when you did, and when
          you last came back.
        </li>
        <li>
          Your passkeys: their names and public keys, when you added them, and when you last signed in with
          them. Your fingerprint, face or PIN never leaves your device.
        </li>
        <li>
          If you link an account at ListenBrainz: your name there, your token, encrypted, and which ratings
          were sent.
        </li>
        <li>
          Your tokens for programs: their names, what they allow, when you made them, and when one was last
          used.
        </li>
        <li>Songs that you suggested or voted for, and what became of them.</li>
        <li>What you reported as wrong or harmful: those who decide see the report, but not who made it.</li>
        <li>Playback reports: whether the video of a song played for you, the latest for each song.</li>
        <li>What the people who run the service decided about your account, profile or collections.</li>
        <li>
          How often your account, your e-mail address or your network address made certain calls, to stop
          abuse.
        </li>
      </BulletList>
      <p>
        What you rate without an account stays in your browser, at most 500 songs. When you sign in, it
        becomes part of your ratings and leaves the browser.
      </p>
      <p>All of it is kept as long as your account exists, except:</p>
      <BulletList label="How long">
        <li>a session: until you sign out, or for 30 days after you last came back,</li>
        <li>a token for programs: until you revoke it or sign out everywhere,</li>
        <li>a magic link and its code: for a day after it expired,</li>
        <li>a bio or photo that was taken down: for 30 days,</li>
        <li>the counts of calls: for a day at most,</li>
        <li>a file that you uploaded and did not use: for a day,</li>
        <li>a file that you bring: until it is read, for a day at most; its list of songs: for 30 days,</li>
        <li>a message to the operator, and that a rejected suggestion was yours: for a year,</li>
        <li>a report: for two years after it was closed.</li>
      </BulletList>
    </ReadingSection>
  )
}
