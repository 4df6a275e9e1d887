import './app/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { currentPath } from './api/paths.ts'
import { App } from './app/App.tsx'
import { isPublicPath } from './app/firstCalls.ts'
import { preloadLikelyPage } from './app/pages.ts'
import { consumeAccountChange, refreshCurrentUser, syncAcrossTabs } from './auth/currentUser.ts'
import { clearStoredQueue } from './playback/queueState.ts'
import { toast } from './ui/toast.ts'
import { clearStoredUploads } from './uploads/storedUploads.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Facebook appends this fragment to the address that it redirects to.
if (location.hash === '#_=_') history.replaceState(null, '', location.pathname + location.search)

syncAcrossTabs()
if (consumeAccountChange()) {
  clearStoredQueue()
  clearStoredUploads()
  toast({ title: 'Another account', description: 'This browser is signed in to another account now.' })
}

// Nothing is rendered before the page is known; until then index.html says 'Loading...' (screens-1).
const preparations = [preloadLikelyPage(), isPublicPath(currentPath()) || refreshCurrentUser()]

void Promise.all(preparations).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
