import { Toaster } from '../ui/Toaster.tsx'
import { CrashScreen } from './CrashScreen.tsx'
import { Routes } from './Routes.tsx'

export function App() {
  return (
    <CrashScreen>
      <Routes />
      <Toaster />
    </CrashScreen>
  )
}
