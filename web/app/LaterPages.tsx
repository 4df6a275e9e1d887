import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { QueryProvider } from '../api/QueryProvider.tsx'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { MicrogenrePage } from './lazyPages.ts'
import { LoadingScreen } from './PlainPage.tsx'

const VerificationPage = lazyComponent(
  async () => (await import('../diagnostics/VerificationPage.tsx')).VerificationPage,
)
const AuthTestPage = lazyComponent(async () => (await import('../diagnostics/AuthTestPage.tsx')).AuthTestPage)
const PlaybackDiagnosticPage = lazyComponent(
  async () => (await import('../diagnostics/PlaybackDiagnosticPage.tsx')).PlaybackDiagnosticPage,
)
const CoveragePage = lazyComponent(async () => (await import('../diagnostics/CoveragePage.tsx')).CoveragePage)
const FeedbackPage = lazyComponent(async () => (await import('../diagnostics/FeedbackPage.tsx')).FeedbackPage)
const AdminPage = lazyComponent(async () => (await import('../admin/AdminPage.tsx')).AdminPage)
const BlindRoundPage = lazyComponent(
  async () => (await import('../tryout/BlindRoundPage.tsx')).BlindRoundPage,
)
const InvitePage = lazyComponent(async () => (await import('../auth/InvitePage.tsx')).InvitePage)
const PrivacyPage = lazyComponent(async () => (await import('../privacy/PrivacyPage.tsx')).PrivacyPage)
const FairnessPage = lazyComponent(async () => (await import('../community/FairnessPage.tsx')).FairnessPage)
const SharedMixPage = lazyComponent(async () => (await import('../sharing/SharedMixPage.tsx')).SharedMixPage)
const TryPage = lazyComponent(async () => (await import('../tryout/TryPage.tsx')).TryPage)
const StewardPages = lazyComponent(async () => (await import('./StewardPages.tsx')).StewardPages)

/** The pages that few visits start with: for reading, for operators and for stewards. Each is a separate chunk. */
export function LaterPages() {
  return (
    <QueryProvider>
      <Suspense fallback={<LoadingScreen />}>
        <Switch>
          <Route path="/privacy" component={PrivacyPage} />
          <Route path="/fairness" component={FairnessPage} />
          <Route path="/microgenres/:key">{({ key }) => <MicrogenrePage microgenreKey={key} />}</Route>
          <Route path="/share/mix/:shareToken?">
            {({ shareToken }) => <SharedMixPage shareToken={shareToken} />}
          </Route>
          <Route path="/invite/:token">{({ token }) => <InvitePage token={token} />}</Route>
          <Route path="/try/:microgenre?">{({ microgenre }) => <TryPage microgenre={microgenre} />}</Route>
          <Route path="/share/blind/:shareToken?">
            {({ shareToken }) => <BlindRoundPage shareToken={shareToken} />}
          </Route>
          <Route path="/admin" component={AdminPage} />
          <Route path="/verification" component={VerificationPage} />
          <Route path="/auth-test" component={AuthTestPage} />
          <Route path="/youtube-optimization" component={PlaybackDiagnosticPage} />
          <Route path="/coverage" component={CoveragePage} />
          <Route path="/feedback" component={FeedbackPage} />
          <Route path="/desk" component={StewardPages} />
        </Switch>
      </Suspense>
    </QueryProvider>
  )
}
