import { ButtonTo } from '../ui/ButtonTo.tsx'
import { PlainPage } from './PlainPage.tsx'

/* The diagnostic pages: their routes stand, what they do comes later. */

export const VerificationPage = () => (
  <LaterPage title="Audio Verification Center">Checking the videos of all songs comes later.</LaterPage>
)

export const AuthTestPage = () => (
  <LaterPage title="Authentication Testing Center">Testing how accounts are made comes later.</LaterPage>
)

export const YoutubeOptimizationPage = () => (
  <LaterPage title="Playback Diagnostic">Looking into playback comes later.</LaterPage>
)

function LaterPage({ title, children }: { title: string; children: string }) {
  return (
    <PlainPage title={title}>
      <p className="text-base text-ink-2">{children}</p>
      <ButtonTo to="/" variant="main" size="big">
        Go Home
      </ButtonTo>
    </PlainPage>
  )
}
