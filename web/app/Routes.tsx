import { Suspense, useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { refreshCurrentUser } from '../auth/currentUser.ts'
import { useCurrentUser } from '../auth/useCurrentUser.ts'
import { forgetSkip } from '../onboarding/skippedQuestionnaire.ts'
import { LoadingScreen } from './LoadingScreen.tsx'
import {
  AuthPage,
  AuthTestPage,
  LandingPage,
  ListenerPages,
  LoginPage,
  NotFoundPage,
  PrivacyPage,
  SharedAchievementPage,
  SharedCollectionPage,
  VerificationPage,
  YoutubeOptimizationPage,
} from './pages.ts'
import { UnreachableScreen } from './UnreachableScreen.tsx'

/** The three route sets of spec §2; the public one needs no answer about who is signed in. */
export function Routes() {
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Switch>
        <Route path="/share/collection/:shareToken?">
          {({ shareToken }) => <SharedCollectionPage shareToken={shareToken} />}
        </Route>
        <Route path="/share/achievement/:shareToken?">
          {({ shareToken }) => <SharedAchievementPage shareToken={shareToken} />}
        </Route>
        <Route path="/privacy" component={PrivacyPage} />
        <Route component={RoutesBySignIn} />
      </Switch>
    </Suspense>
  )
}

function RoutesBySignIn() {
  const { user, isLoading, failed } = useCurrentUser()
  if (isLoading) return <LoadingScreen />
  if (failed) return <UnreachableScreen onRetry={refreshCurrentUser} />
  return user ? <SignedInRoutes /> : <SignedOutRoutes />
}

function SignedInRoutes() {
  return (
    <Switch>
      <Route path={/^\/(?:profile\/?)?$/} component={ListenerPages} />
      <Route path="/verification" component={VerificationPage} />
      <Route path="/auth-test" component={AuthTestPage} />
      <Route path="/youtube-optimization" component={YoutubeOptimizationPage} />
      <Route component={NotFoundPage} />
    </Switch>
  )
}

function SignedOutRoutes() {
  useEffect(forgetSkip, [])
  return (
    <Switch>
      <Route path="/" component={LandingPage} />
      <Route path="/login" component={LoginPage} />
      <Route component={AuthPage} />
    </Switch>
  )
}
