import type { ReactNode } from 'react'
import { Cover } from '../ui/art/Cover.tsx'
import { genreColors } from './genreColors.ts'
import { sampleCovers } from './sampleCovers.ts'

export function Features() {
  return (
    <div className="grid grid-cols-2 gap-x-3.5 gap-y-7 roomy:grid-cols-4 roomy:gap-4">
      <Feature title="Quick Rating" picture={<PadDrawing />}>
        Two keys and no stars. Left for Bust, right for Banger, and the next song is already there.
      </Feature>
      <Feature title="Personal Library" picture={<CoverWall />}>
        Every banger you find is kept, sorted by the microgenre it came from.
      </Feature>
      <Feature title="Microgenre Exploration" picture={<GenreNames />}>
        From acid house to zydeco: small scenes with big songs, one room each.
      </Feature>
      <Feature title="Community Insights" picture={<BarChart />}>
        What everybody else calls a banger this month, song by song.
      </Feature>
    </div>
  )
}

function Feature({ title, picture, children }: { title: string; picture: ReactNode; children: string }) {
  return (
    <section className="grid content-start gap-2 border-t-2 border-ink pt-4">
      <div
        aria-hidden="true"
        data-genre=""
        className="mb-3 h-26 wide:h-34"
        style={{ '--genre': genreColors.chillwave }}
      >
        {picture}
      </div>
      <h2 className="text-base font-[650] font-stretch-105%">{title}</h2>
      <p className="text-ink-2">{children}</p>
    </section>
  )
}

function PadDrawing() {
  return (
    <svg aria-hidden="true" viewBox="0 0 160 96" className={drawingStyle} preserveAspectRatio="xMinYMax meet">
      <rect y="8" width="44" height="88" rx="5" className="fill-cold-pad" />
      <rect x="50" y="8" width="60" height="60" className="fill-(--cover-2)" />
      <circle cx="80" cy="38" r="20" className="fill-(--cover-4)" />
      <circle cx="80" cy="38" r="6" className="fill-(--cover-1)" />
      <rect x="116" y="8" width="44" height="88" rx="5" className="fill-hot-fill" />
      <path d="M10 84h24" className="stroke-cold" strokeWidth="5" />
      <path d="M124 82h28" className="stroke-on-hot" strokeWidth="12" />
    </svg>
  )
}

function CoverWall() {
  return (
    <div className="grid h-full max-w-56 grid-cols-5 content-end gap-1 overflow-hidden">
      {sampleCovers.slice(0, 15).map(({ title, color }) => (
        <span key={title} className="aspect-square">
          <Cover title={title} color={color} />
        </span>
      ))}
    </div>
  )
}

function GenreNames() {
  return (
    <div className="grid h-full content-end overflow-hidden font-display text-[1.3rem]/[1.7rem] whitespace-nowrap">
      {genreNames.map(({ name, fontStretch, fontWeight }) => (
        <span
          key={name}
          data-genre=""
          className="text-accent"
          style={{ '--genre': genreColors[name], fontStretch, fontWeight }}
        >
          {name}
        </span>
      ))}
    </div>
  )
}

const genreNames = [
  { name: 'dungeon synth', fontStretch: '60%', fontWeight: 400 },
  { name: 'footwork', fontStretch: '140%', fontWeight: 900 },
  { name: 'ethio-jazz', fontStretch: '90%', fontWeight: 600 },
  { name: 'witch house', fontStretch: '50%', fontWeight: 300 },
  { name: 'krautrock', fontStretch: '118%', fontWeight: 800 },
] as const

function BarChart() {
  return (
    <svg aria-hidden="true" viewBox="0 0 160 96" className={drawingStyle} preserveAspectRatio="xMinYMax meet">
      {[88, 70, 58, 50, 38, 30, 22].map((height, i) => (
        <rect
          key={height}
          x={i * 23}
          y={96 - height}
          width="18"
          height={height}
          className={i === 0 ? 'fill-hot-fill' : 'fill-line-strong'}
        />
      ))}
    </svg>
  )
}

const drawingStyle = 'size-full'
