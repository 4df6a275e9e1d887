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

/* Icons of Lucide (https://lucide.dev), under the ISC licence: those of the
 * first pages. Others are in laterIcons.ts, so that the first load is without them. */

export const ArrowLeft = createIcon('m12 19-7-7 7-7', 'M19 12H5')
export const ChartNoAxesColumn = createIcon('M5 21v-6', 'M12 21V3', 'M19 21V9')
export const Check = createIcon('M20 6 9 17l-5-5')
export const ChevronDown = createIcon('m6 9 6 6 6-6')
export const CircleAlert = createIcon(
  'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0',
  'M12 8L12 12',
  'M12 16L12.01 16',
)
export const Disc3 = createIcon(
  'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0',
  'M6 12c0-1.7.7-3.2 1.8-4.2',
  'M10 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  'M18 12c0 1.7-.7 3.2-1.8 4.2',
)
export const ExternalLink = createIcon(
  'M15 3h6v6',
  'M10 14 21 3',
  'M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6',
)
export const Fingerprint = createIcon(
  'M12 10a2 2 0 0 0-2 2c0 1.02-.1 2.51-.26 4',
  'M14 13.12c0 2.38 0 6.38-1 8.88',
  'M17.29 21.02c.12-.6.43-2.3.5-3.02',
  'M2 12a10 10 0 0 1 18-6',
  'M2 16h.01',
  'M21.8 16c.2-2 .131-5.354 0-6',
  'M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .34-2',
  'M8.65 22c.21-.66.45-1.32.57-2',
  'M9 6.8a6 6 0 0 1 9 5.2v2',
)
export const KeyRound = createIcon(
  'M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z',
  'M16 7.5a.5 .5 0 1 0 1 0a.5 .5 0 1 0-1 0',
)
export const Keyboard = createIcon(
  'M10 8h.01',
  'M12 12h.01',
  'M14 8h.01',
  'M16 12h.01',
  'M18 8h.01',
  'M6 8h.01',
  'M7 16h10',
  'M8 12h.01',
  'M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2z',
)
export const Library = createIcon('m16 6 4 14', 'M12 6v14', 'M8 8v12', 'M4 4v16')
export const LogOut = createIcon('m16 17 5-5-5-5', 'M21 12H9', 'M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4')
export const MessageSquare = createIcon(
  'M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z',
)
export const Undo2 = createIcon('M9 14 4 9l5-5', 'M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11')
export const UsersRound = createIcon(
  'M18 21a8 8 0 0 0-16 0',
  'M5 8a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
  'M22 20c0-3.37-2-6.5-4-8a5 5 0 0 0-.45-8.3',
)
export const Volume1 = createIcon(
  'M11 4.702a.705.705 0 0 0-1.203-.498L6.413 7.587A1.4 1.4 0 0 1 5.416 8H3a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2.416a1.4 1.4 0 0 1 .997.413l3.383 3.384A.705.705 0 0 0 11 19.298z',
  'M16 9a5 5 0 0 1 0 6',
)
export const Volume2 = createIcon(
  'M11 4.702a.705.705 0 0 0-1.203-.498L6.413 7.587A1.4 1.4 0 0 1 5.416 8H3a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2.416a1.4 1.4 0 0 1 .997.413l3.383 3.384A.705.705 0 0 0 11 19.298z',
  'M16 9a5 5 0 0 1 0 6',
  'M19.364 18.364a9 9 0 0 0 0-12.728',
)
export const VolumeX = createIcon(
  'M11 4.702a.7.7 0 0 0-1.203-.498L6.413 7.587A1.4 1.4 0 0 1 5.416 8H3a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2.416a1.4 1.4 0 0 1 .997.413l3.383 3.384A.7.7 0 0 0 11 19.298z',
  'm16.5 14.5 5-5',
  'm16.5 9.5 5 5',
)
export const X = createIcon('M18 6 6 18', 'm6 6 12 12')
