import { Router } from 'wouter'
import { config } from '../api/config.ts'
import { Toaster } from '../ui/Toaster.tsx'
import { CrashScreen } from './CrashScreen.tsx'
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
