import './app/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pathHere } from './api/address.ts'
import { App } from './app/App.tsx'
import { isSameForAll } from './app/firstCalls.ts'
import { preloadLikelyPage } from './app/pages.ts'
import { followTabs, refreshCurrentUser, takeAccountChange } from './auth/currentUser.ts'
import { forgetQueue } from './playback/keptQueue.ts'
import { toast } from './ui/toast.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Facebook appends this fragment to the address that it redirects to.
if (location.hash === '#_=_') history.replaceState(null, '', location.pathname + location.search)

followTabs()
if (takeAccountChange()) {
  forgetQueue()
  toast({ title: 'Another account', description: 'This browser is signed in to another account now.' })
}

// Nothing is rendered before the page is known; until then index.html says 'Loading...' (screens-1).
const isKnown = isSameForAll(pathHere()) ? [] : [preloadLikelyPage(), refreshCurrentUser()]

void Promise.all(isKnown).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
