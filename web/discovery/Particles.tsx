import { useLayoutEffect, useRef, useState } from 'react'
import type { Rating } from '../../contract/shapes.ts'
import { useStore } from '../ui/store.ts'
import type { DiscoveryEngine } from './discoveryEngine.ts'
import { FEEDBACK_TIME, verdict } from './discoveryState.ts'
import { prefersStillness } from './swipe.ts'

/** They start a frame or two after the key has lit up (see `drawLater`), and end with the feedback. */
const PARTICLE_DURATION = FEEDBACK_TIME - 50

/** The number that cross the screen, and of those that spray from the art (discover-11). */
const swarms = {
  banger: { emoji: '🔥', primary: 20, secondary: 12 },
  bust: { emoji: '👎', primary: 16, secondary: 10 },
} satisfies Record<Rating, { emoji: string; primary: number; secondary: number }>

/** Fire or thumbs over the whole screen, below the video; nothing with reduced motion. */
export function Particles({ discovery }: { discovery: DiscoveryEngine }) {
  const attempt = useStore(discovery, (state) => verdict(state)?.attempt)
  const rating = useStore(discovery, (state) => verdict(state)?.rating)
  return rating && !prefersStillness() && <ParticleBurst key={attempt} rating={rating} />
}

function ParticleBurst({ rating }: { rating: Rating }) {
  const overlay = useRef<HTMLDivElement>(null)
  const [particles] = useState(() => scatter(rating))

  useLayoutEffect(() => {
    const flights = [...(overlay.current?.children ?? [])].map((element, n) => fly(element, particles[n]))
    return () => {
      for (const flight of flights) flight?.cancel()
    }
  }, [particles])

  return (
    <div
      ref={overlay}
      aria-hidden="true"
      className="pointer-events-none fixed inset-0 z-(--z-particles) overflow-hidden leading-none"
    >
      {particles.map(({ key }) => (
        <span key={key} className="absolute top-0 left-0 text-[48px] opacity-0">
          {swarms[rating].emoji}
        </span>
      ))}
    </div>
  )
}

interface Particle {
  key: string
  /** Relative to the picture's 48 px, so that each glyph is rasterised once. */
  scale: number
  /** Start and end, as fractions of the screen. */
  from: readonly [x: number, y: number]
  to: readonly [x: number, y: number]
  /** Rotation at the end, in degrees. */
  rotation: number
  /** Delay, as a fraction of the feedback's time. */
  delay: number
}

/** Flames rise on the banger's side; thumbs fall on the other. */
function scatter(rating: Rating): Particle[] {
  const { primary, secondary } = swarms[rating]
  const isBanger = rating === 'banger'
  const across = Array.from({ length: primary }, (_, n): Particle => {
    const x = (n + between(0, 1)) / primary
    return {
      key: `across-${n}`,
      scale: between(0.75, 1.6),
      from: [x, isBanger ? 1.05 : -0.12],
      to: [x + between(-0.08, 0.08), isBanger ? between(-0.1, 0.35) : between(0.65, 1.1)],
      rotation: between(-30, 30),
      delay: between(0, 0.25),
    }
  })
  const spray = Array.from({ length: secondary }, (_, n): Particle => {
    const angle = ((n + between(0, 1)) / secondary) * 2 * Math.PI
    const reach = between(0.12, 0.3)
    return {
      key: `spray-${n}`,
      scale: between(0.35, 0.6),
      from: [0.5, 0.4],
      to: [0.5 + Math.cos(angle) * reach, 0.4 + Math.sin(angle) * reach],
      rotation: between(-90, 90),
      delay: between(0, 0.15),
    }
  })
  return [...across, ...spray]
}

/** Only transform and opacity, so the compositor can animate them while the next song loads. */
function fly(element: Element, particle: Particle | undefined): Animation | undefined {
  if (!particle) return
  const { from, to, rotation: turn, delay: wait, scale } = particle
  const at = ([x, y]: readonly [number, number]) => `translate(${x * 100}vw, ${y * 100}vh)`
  return element.animate(
    [
      { transform: `${at(from)} scale(${scale * 0.5})`, opacity: 0 },
      { transform: `${at(middle(from, to))} scale(${scale})`, opacity: 1, offset: 0.3 },
      { transform: `${at(to)} rotate(${turn}deg) scale(${scale * 1.1})`, opacity: 0 },
    ],
    {
      duration: PARTICLE_DURATION * (1 - wait),
      delay: PARTICLE_DURATION * wait,
      easing: 'ease-out',
      fill: 'both',
    },
  )
}

function middle([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): [number, number] {
  return [x1 + (x2 - x1) * 0.45, y1 + (y2 - y1) * 0.45]
}

function between(low: number, high: number): number {
  return low + Math.random() * (high - low)
}
