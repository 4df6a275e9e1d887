import type { ReactNode, SVGProps } from 'react'

export type Icon = (props: SVGProps<SVGSVGElement>) => ReactNode

/** An icon of 24 by 24, drawn in lines of the colour of the text. Without a label it is hidden from screen readers. */
export const createIcon =
  (...paths: string[]): Icon =>
  (props) => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-5"
      aria-hidden="true"
      {...(props['aria-label'] && { 'aria-hidden': false })}
      {...props}
    >
      {paths.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  )
