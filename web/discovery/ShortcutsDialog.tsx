import { useState } from 'react'
import { Dialog, type OpenState } from '../ui/Dialog.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { setShortcutsOn, shortcutsOn } from '../ui/shortcutSetting.ts'

/** All shortcuts, and the switch that turns them off for people who use speech input (WCAG 2.1.4). */
export function ShortcutsDialog(dialog: OpenState) {
  return (
    <Dialog {...dialog} title="Keyboard Shortcuts" width="28rem">
      <dl className="grid">
        {shortcuts.map(([key, does]) => (
          <div
            key={key}
            className="flex min-h-11 items-center justify-between gap-4 border-t border-line first:border-t-0"
          >
            <dd>{does}</dd>
            <dt>
              <Kbd className="inline-grid!">{key}</Kbd>
            </dt>
          </div>
        ))}
      </dl>
      <ShortcutsSwitch />
    </Dialog>
  )
}

function ShortcutsSwitch() {
  const [on, setOn] = useState(shortcutsOn)
  function change() {
    setShortcutsOn(!on)
    setOn(!on)
  }
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      onClick={change}
      className="flex min-h-(--size-touch) items-center justify-between gap-4 text-left font-semibold"
    >
      Single-key shortcuts
      <span
        aria-hidden="true"
        className={`relative h-7 w-12 flex-none rounded-full ${on ? 'bg-ink' : 'bg-line-strong'}`}
      >
        <span
          className={`absolute top-[3px] size-5.5 rounded-full bg-paper ${on ? 'right-[3px]' : 'left-[3px]'}`}
        />
      </span>
    </button>
  )
}

const shortcuts = [
  ['←', 'Bust'],
  ['→', 'Banger'],
  ['Space', 'Play or pause'],
  ['↓ or S', 'Not now'],
  ['U', 'Undo the last rating'],
  ['N', 'Next song of a queue'],
  ['P', 'Previous song of a queue'],
  ['1', 'Discover'],
  ['2', 'My Library'],
  ['3', 'Community'],
  ['?', 'These shortcuts'],
] as const
