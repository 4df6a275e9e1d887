import { List, Part } from '../ui/Part.tsx'

/** What is kept, and for how long. */
export function Collected() {
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
      <p>And, as you use the service:</p>
      <List label="Also collected">
        <li>
          What you enter: your name, bio, photo and settings, files, whom you follow, collections and shared
          links with the number of their views, answers to the questionnaire, and messages to the operator.
        </li>
        <li>Which songs you put off or let go with ‘Not now’, and when.</li>
        <li>
          What follows from your ratings: achievements, statistics, and four numbers that stand for what you
          like.
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
        <li>Playback reports: whether the video of a song played for you, the latest for each song.</li>
        <li>
          How often your account, your e-mail address or your network address made certain calls, to stop
          abuse.
        </li>
      </List>
      <p>All of it is kept as long as your account exists, except:</p>
      <List label="How long">
        <li>a session: until you sign out, or for 30 days after you last came back,</li>
        <li>a magic link: for a day after it expired,</li>
        <li>the number of calls: for about an hour,</li>
        <li>a file that you uploaded and did not use: for a day,</li>
        <li>a message that you sent without an account: for a year.</li>
      </List>
    </Part>
  )
}
