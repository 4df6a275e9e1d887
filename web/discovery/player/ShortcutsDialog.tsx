import { useState } from 'react'
import { Dialog, type OpenState } from '../../ui/dialogs/Dialog.tsx'
import { Kbd } from '../../ui/keyboard/Kbd.tsx'
import { areShortcutsOn, setShortcutsOn } from '../../ui/keyboard/useHotkeys.ts'

/** All shortcuts, and the switch that turns them off for people who use speech input (WCAG 2.1.4). */
export function ShortcutsDialog(dialog: OpenState) {
  return (
    <Dialog {...dialog} title="Keyboard Shortcuts" width="28rem">
      <dl className="grid">
        {shortcuts.map(([action, ...keys]) => (
          <div
            key={action}
            className="flex min-h-11 items-center justify-between gap-4 border-t border-line first:border-t-0"
          >
            <dd>{action}</dd>
            <dt className="flex gap-1.5">
              {keys.map((key) => (
                <Kbd key={key} className="inline-grid! border-current">
                  {key}
                </Kbd>
              ))}
            </dt>
          </div>
        ))}
      </dl>
      <ShortcutsSwitch />
    </Dialog>
  )
}

function ShortcutsSwitch() {
  const [isOn, setIsOn] = useState(areShortcutsOn)
  function toggle() {
    setShortcutsOn(!isOn)
    setIsOn(!isOn)
  }
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      onClick={toggle}
      className="flex min-h-(--size-touch) items-center justify-between gap-4 text-left font-semibold"
    >
      Single-key shortcuts
      <span
        aria-hidden="true"
        className={`relative h-7 w-12 flex-none rounded-full ${isOn ? 'bg-ink' : 'bg-line-strong'}`}
      >
        <span
          className={`absolute top-[3px] size-5.5 rounded-full bg-paper ${isOn ? 'right-[3px]' : 'left-[3px]'}`}
        />
      </span>
    </button>
  )
}

const shortcuts: [does: string, ...keys: string[]][] = [
  ['Bust', '←'],
  ['Banger', '→'],
  ['Play or pause', 'Space'],
  ['Not now', '↓', 'S'],
  ['Undo the last rating', 'U'],
  ['Next song of a queue', 'N'],
  ['Previous song of a queue', 'P'],
  ['Discover', '1'],
  ['My Library', '2'],
  ['Community', '3'],
  ['These shortcuts', '?'],
]
