import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { Route, Router, Switch } from 'wouter'
import type { SignedInUser } from '../../contract/auth.ts'
import { config } from '../api/config.ts'
import { refreshCurrentUser, useCurrentUser } from '../auth/currentUser.ts'
import { forgetQuestionnaireSkip } from '../onboarding/questionnaireState.ts'
import { clearStoredQueue } from '../playback/queueState.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Toaster } from '../ui/dialogs/Toaster.tsx'
import { clearStoredUploads } from '../uploads/storedUploads.ts'
import { publicPage } from './firstCalls.ts'
import { LoadingScreen, PlainPage } from './PlainPage.tsx'
import {
  AuthPage,
  LandingPage,
  LaterPages,
  ListenerPages,
  LoginPage,
  NotFoundPage,
  SharedAchievementPage,
  SharedCollectionPage,
  SignedInAlready,
} from './pages.ts'

export function App() {
  return (
    <CrashScreen>
      <Router base={config.basePath}>
        <Routes />
      </Router>
      <Toaster />
    </CrashScreen>
  )
}

/** Shown when a page throws or its code cannot be loaded, instead of a blank window. */
class CrashScreen extends Component<{ children: ReactNode }, { hasCrashed: boolean }> {
  override state = { hasCrashed: false }

  static getDerivedStateFromError() {
    return { hasCrashed: true }
  }

  override render() {
    if (!this.state.hasCrashed) return this.props.children
    return (
      <PlainPage title="Something broke">
        <p role="alert" className="text-base text-ink-2">
          Your ratings are safe. Load the page again; if that does not help, try once more in a while.
        </p>
        <Button variant="main" size="big" onClick={() => location.reload()}>
          Load again
        </Button>
      </PlainPage>
    )
  }
}

/** The three route sets (screens-2). Public routes do not wait for authentication. */
function Routes() {
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Switch>
        <Route path="/share/collection/:shareToken?">
          {({ shareToken }) => <SharedCollectionPage shareToken={shareToken} />}
        </Route>
        <Route path="/share/achievement/:shareToken?">
          {({ shareToken }) => <SharedAchievementPage shareToken={shareToken} />}
        </Route>
        <Route path={/^\/share\/(?:mix|blind)(?:\/[^/]*)?\/?$/} component={LaterPages} />
        <Route path={publicPage} component={LaterPages} />
        <Route component={RoutesBySignIn} />
      </Switch>
    </Suspense>
  )
}

function RoutesBySignIn() {
  const { user, isLoading, hasFailed } = useCurrentUser()
  if (isLoading) return <LoadingScreen />
  if (hasFailed) return <UnreachableScreen onRetry={refreshCurrentUser} />
  return user ? <SignedInRoutes user={user} /> : <SignedOutRoutes />
}

function SignedInRoutes({ user }: { user: SignedInUser }) {
  return (
    <Switch>
      <Route path={/^\/(?:(?:profile|microgenres|imports(?:\/\d+)?)\/?)?$/} component={ListenerPages} />
      {/* Without access, these paths show the 404 page like any unknown one (diagnostics-1, desk-10). */}
      {user.isSteward && <Route path={/^\/desk\/?$/} component={LaterPages} />}
      {user.maySeeDiagnostics !== false && (
        <Route
          path={/^\/(?:verification|auth-test|youtube-optimization|coverage|feedback|admin)\/?$/}
          component={LaterPages}
        />
      )}
      {/[?&]error=/.test(location.search) && (
        <Route path={/^\/(?:auth|login)\/?$/} component={SignedInAlready} />
      )}
      <Route component={NotFoundPage} />
    </Switch>
  )
}

function SignedOutRoutes() {
  useEffect(() => {
    forgetQuestionnaireSkip()
    clearStoredQueue()
    clearStoredUploads()
  }, [])
  return (
    <Switch>
      <Route path="/" component={LandingPage} />
      <Route path="/login" component={LoginPage} />
      {config.visitors && <Route path={/^\/try(?:\/[^/]+)?\/?$/} component={LaterPages} />}
      <Route component={AuthPage} />
    </Switch>
  )
}

/** Authentication could not be checked: no connection, or the server is down. */
function UnreachableScreen({ onRetry }: { onRetry: () => void }) {
  return (
    <PlainPage title="No answer from the server">
      <p role="alert" className="text-base text-ink-2">
        Check your connection, wait a moment and try again.
      </p>
      <Button variant="main" size="big" onClick={onRetry}>
        Try again
      </Button>
    </PlainPage>
  )
}
