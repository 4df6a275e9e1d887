import { type ReactNode, useId } from 'react'

interface SwitchRowProps {
  name: string
  /** What it does, in words. */
  children: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
}

/** A switch with a label and an explanation. */
export function SwitchRow({ name, children, isOn, onChange, disabled = false }: SwitchRowProps) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="grid gap-0.5">
        <b id={`${id}-name`} className="font-semibold">
          {name}
        </b>
        <span id={`${id}-words`} className="text-xs text-ink-2">
          {children}
        </span>
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-words`}
        disabled={disabled}
        onClick={() => onChange(!isOn)}
        className="group relative h-(--size-touch) w-12 flex-none disabled:opacity-45"
      >
        <span className="switch-track absolute inset-x-0 top-2 h-7 rounded-full border border-line-strong bg-paper transition-colors duration-(--duration-quick) group-aria-checked:border-ink group-aria-checked:bg-ink" />
        <span className="switch-thumb absolute top-[0.6875rem] left-[3px] size-5.5 rounded-full bg-line-strong transition-transform duration-(--duration-quick) group-aria-checked:translate-x-5 group-aria-checked:bg-paper" />
      </button>
    </div>
  )
}
