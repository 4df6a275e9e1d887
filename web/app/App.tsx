import { Component, type ReactNode } from 'react'
import { Router } from 'wouter'
import { config } from '../api/config.ts'
import { Button } from '../ui/Button.tsx'
import { Toaster } from '../ui/Toaster.tsx'
import { PlainPage } from './PlainPage.tsx'
import { Routes } from './Routes.tsx'

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
class CrashScreen extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
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
