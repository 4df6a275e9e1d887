import './ui/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { isSameForAll, preloadLikelyPage } from './app/pages.ts'
import { refreshCurrentUser } from './auth/currentUser.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Facebook leaves this behind the address that it sends people back to.
if (location.hash === '#_=_') history.replaceState(null, '', location.pathname + location.search)

// The page comes in one piece once it is known which one, and index.html says 'Loading...' until then (spec §2).
const isKnown = isSameForAll(location.pathname) ? [] : [refreshCurrentUser(), preloadLikelyPage()]

void Promise.all(isKnown).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
