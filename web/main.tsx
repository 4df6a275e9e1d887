import './ui/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { isSameForAll, preloadLikelyPage } from './app/pages.ts'
import { refreshCurrentUser } from './auth/currentUser.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Both questions go out before the first rendering.
if (!isSameForAll(location.pathname)) void refreshCurrentUser()
preloadLikelyPage()

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
