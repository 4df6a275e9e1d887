import { useState } from 'react'
import type { Rating } from '../../../contract/shapes.ts'
import { useDeferredStore } from '../../ui/afterPaint.ts'
import { prefersReducedMotion } from '../../ui/useMediaQuery.ts'
import type { DiscoveryEngine } from '../engine/discoveryEngine.ts'
import { FEEDBACK_TIME, shownVerdict } from '../engine/discoveryState.ts'

/** They start a frame or two after the pad has lit up (see `renderAfterPaint`), and end with the feedback. */
const PARTICLE_DURATION = FEEDBACK_TIME - 50

/** How many cross the screen, and how many spray from the art (discover-11). */
const particleSets = {
  banger: { emoji: '🔥', primary: 20, secondary: 12 },
  bust: { emoji: '👎', primary: 16, secondary: 10 },
} satisfies Record<Rating, { emoji: string; primary: number; secondary: number }>

/** Flames or thumbs over the screen, below the video; none with reduced motion. */
export function Particles({ discovery }: { discovery: DiscoveryEngine }) {
  const attempt = useDeferredStore(discovery, (state) => shownVerdict(state)?.attempt)
  const rating = useDeferredStore(discovery, (state) => shownVerdict(state)?.rating)
  return rating && !prefersReducedMotion() && <ParticleBurst key={attempt} rating={rating} />
}

function ParticleBurst({ rating }: { rating: Rating }) {
  const [particles] = useState(() => createParticles(rating))
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none fixed inset-0 z-(--z-particles) overflow-hidden leading-none"
    >
      {particles.map((particle) => (
        <span
          key={particle.key}
          ref={(element) => animateParticle(element, particle)}
          className="absolute top-0 left-0 text-[48px] opacity-0"
        >
          {particleSets[rating].emoji}
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
function createParticles(rating: Rating): Particle[] {
  const { primary, secondary } = particleSets[rating]
  const isBanger = rating === 'banger'
  const crossingParticles = Array.from({ length: primary }, (_, index): Particle => {
    const x = (index + randomBetween(0, 1)) / primary
    return {
      key: `across-${index}`,
      scale: randomBetween(0.75, 1.6),
      from: [x, isBanger ? 1.05 : -0.12],
      to: [x + randomBetween(-0.08, 0.08), isBanger ? randomBetween(-0.1, 0.35) : randomBetween(0.65, 1.1)],
      rotation: randomBetween(-30, 30),
      delay: randomBetween(0, 0.25),
    }
  })
  const sprayParticles = Array.from({ length: secondary }, (_, index): Particle => {
    const angle = ((index + randomBetween(0, 1)) / secondary) * 2 * Math.PI
    const distance = randomBetween(0.12, 0.3)
    return {
      key: `spray-${index}`,
      scale: randomBetween(0.35, 0.6),
      from: [0.5, 0.4],
      to: [0.5 + Math.cos(angle) * distance, 0.4 + Math.sin(angle) * distance],
      rotation: randomBetween(-90, 90),
      delay: randomBetween(0, 0.15),
    }
  })
  return [...crossingParticles, ...sprayParticles]
}

/** Animates transform and opacity alone, which the compositor does while the next song loads. Returns its cancellation. */
function animateParticle(element: Element | null, particle: Particle) {
  const { from, to, rotation, delay, scale } = particle
  const translateTo = ([x, y]: readonly [number, number]) => `translate(${x * 100}vw, ${y * 100}vh)`
  const animation = element?.animate(
    [
      { transform: `${translateTo(from)} scale(${scale * 0.5})`, opacity: 0 },
      { transform: `${translateTo(midpoint(from, to))} scale(${scale})`, opacity: 1, offset: 0.3 },
      { transform: `${translateTo(to)} rotate(${rotation}deg) scale(${scale * 1.1})`, opacity: 0 },
    ],
    {
      duration: PARTICLE_DURATION * (1 - delay),
      delay: PARTICLE_DURATION * delay,
      easing: 'ease-out',
      fill: 'both',
    },
  )
  return () => animation?.cancel()
}

function midpoint(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
): [number, number] {
  return [x1 + (x2 - x1) * 0.45, y1 + (y2 - y1) * 0.45]
}

function randomBetween(low: number, high: number): number {
  return low + Math.random() * (high - low)
}
