import type { ComponentProps } from 'react'
import { isFocusByPointer } from './focusOrigin.ts'

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
