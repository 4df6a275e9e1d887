import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Custom properties, such as `--genre`. */
    [property: `--${string}`]: string | number | undefined
  }
}
