import { renderToStaticMarkup } from 'react-dom/server'
import { StagePlaceholder } from '../discovery/player/PlayerView.tsx'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { DeadEndLayout } from '../ui/page/DeadEnd.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'
import { LoadingScreen } from './PlainPage.tsx'

/*
 * What the server shows without the application's code: the build renders it (web/vite.config.ts) into frames.json.
 * The server fills `{title}`, `{text}` and `{home}`.
 */

const mainButton = buttonClasses({ variant: 'main', size: 'big' })

/** HTML, but for `mainButton`, which is a list of classes. */
export const frames = {
  loading: renderToStaticMarkup(<LoadingScreen />),
  /** The main screen of a listener (screens-23), as in HomeScreen. */
  discover: renderToStaticMarkup(
    <div className="min-h-svh bg-accent-wash">
      <div className="h-(--header)" />
      <main>
        <StagePlaceholder />
      </main>
    </div>,
  ),
  deadEnd: renderToStaticMarkup(
    <DeadEndLayout
      title="{title}"
      text="{text}"
      home={
        <a href="{home}" className="flex min-h-(--size-touch) items-center">
          <Wordmark />
        </a>
      }
      wayOut={
        <a href="{home}" className={mainButton}>
          Go Home
        </a>
      }
    />,
  ),
  wordmark: renderToStaticMarkup(<Wordmark />),
  mainButton,
}
