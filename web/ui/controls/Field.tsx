import { type ComponentProps, type ReactNode, useId } from 'react'
import { isFocusByPointer } from '../keyboard/focusOrigin.ts'

type Control = ComponentProps<'input'> & ComponentProps<'textarea'>

interface FieldProps extends Omit<Control, 'id' | 'onChange' | 'rows'> {
  label: string
  /** Set on the field that gets the focus when its dialog opens. */
  'data-first-field'?: ''
  /** Shown at the end of the label's line. */
  note?: string
  /** What is wrong with the text; shown below it. */
  error?: string | undefined
  /** Allows several lines. */
  rows?: number | undefined
  onChange?: (value: string) => void
  /** Shown beside the text, below it when it has several lines. */
  children?: ReactNode
}

/** A text field with its label. */
export function Field({
  label,
  note,
  error,
  rows,
  onChange,
  className = '',
  children,
  ...control
}: FieldProps) {
  const id = useId()
  const descriptions = [note !== undefined && `${id}-note`, error !== undefined && `${id}-error`]
  const props = {
    ...control,
    id,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': descriptions.filter(Boolean).join(' ') || undefined,
    onChange: (event: { target: { value: string } }) => onChange?.(event.target.value),
  }
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-semibold wrap-anywhere">
          {label}
        </label>
        {note !== undefined && (
          <span id={`${id}-note`} className="text-xs text-ink-2 tabular-nums">
            {note}
          </span>
        )}
      </div>
      <div className={rows === undefined ? 'flex items-start gap-2' : 'grid gap-2'}>
        {rows === undefined ? (
          <input {...props} className={`field ${className}`} />
        ) : (
          <textarea {...props} rows={rows} className={`field ${className}`} />
        )}
        {children}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

interface SelectProps<V extends string> extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  value: V
  options: readonly { value: V; name: string }[]
  onChange: (value: V) => void
}

/** A choice from a list. Chosen by pointer it gives the focus away, so that the next key is the page's (screens-6). */
export function Select<V extends string>({ options, onChange, className = '', ...control }: SelectProps<V>) {
  return (
    <select
      {...control}
      onChange={({ target }) => {
        onChange(target.value as V)
        if (isFocusByPointer()) target.blur()
      }}
      className={`field ${className}`}
    >
      {options.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}
