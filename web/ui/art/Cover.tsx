import { memo } from 'react'
import { drawCover, type Ink, type Shape } from '../../../contract/drawCover.ts'

/** The drawn cover of a song without art, in its microgenre's colour. Decorative. */
export const Cover = memo(function Cover({
  title,
  color,
  className = '',
}: {
  title: string
  color: string
  className?: string
}) {
  return (
    <svg
      viewBox="0 0 96 96"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      data-genre=""
      data-cover=""
      style={{ '--genre': color }}
      className={`block size-full rounded-art ${className}`}
    >
      {drawCover(title).map(renderShape)}
    </svg>
  )
})

function renderShape(shape: Shape, key: number) {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height } = shape
      return (
        <rect key={key} x={x} y={y} width={width} height={height} style={{ fill: inkColor(shape.fill) }} />
      )
    }
    case 'circle':
      return (
        <circle key={key} cx={shape.cx} cy={shape.cy} r={shape.r} style={{ fill: inkColor(shape.fill) }} />
      )
    case 'ring': {
      const { cx, cy, r, width } = shape
      return (
        <circle
          key={key}
          cx={cx}
          cy={cy}
          r={r}
          fill="none"
          strokeWidth={width}
          style={{ stroke: inkColor(shape.stroke) }}
        />
      )
    }
    case 'path': {
      const stroke = shape.stroke && inkColor(shape.stroke)
      return (
        <path
          key={key}
          d={shape.d}
          transform={shape.transform}
          strokeWidth={shape.width}
          strokeLinejoin="round"
          style={{ fill: inkColor(shape.fill), stroke }}
        />
      )
    }
  }
}

const inkColor = (n: Ink) => `var(--cover-${n})`
