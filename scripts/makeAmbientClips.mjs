// Makes the five ambient clips of the loading screen (playback-8): sums of sines and filtered noise, drawn
// from fixed seeds, so the same program gives the same clips. `node scripts/makeAmbientClips.mjs`
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createMp3Encoder } from 'wasm-media-encoders'
import { root } from './root.mjs'

const RATE = 44_100
const SECONDS = 8
const LENGTH = RATE * SECONDS
const TAU = 2 * Math.PI

const clips = { dawn, tide, bells, dust, drift }
for (const [name, make] of Object.entries(clips)) {
  const file = path.join(root, 'web', 'discovery', 'ambient', `${name}.mp3`)
  await writeFile(file, await encode(soften(make())))
  console.log(file)
}

/** A major seventh chord that opens slowly, each voice slightly out of tune with itself. */
function dawn() {
  const chord = [110, 164.81, 220, 277.18, 415.3]
  return mix((t) =>
    sum(chord, (f, i) => {
      const swell = Math.sin((Math.PI * t) / SECONDS) ** (1 + i * 0.4)
      return swell * (Math.sin(TAU * f * t) + Math.sin(TAU * f * 1.004 * t)) * (0.5 / (1 + i * 0.35))
    }),
  )
}

/** Two waves of filtered noise over a low fifth. */
function tide() {
  const noise = lowPass(whiteNoise(11), 420)
  return mix((t, n) => {
    const wave = Math.sin((TAU * t) / 4 - Math.PI / 2) * 0.5 + 0.5
    const fifth = Math.sin(TAU * 82.41 * t) * 0.35 + Math.sin(TAU * 123.47 * t) * 0.2
    return noise[n] * wave * 2.2 + fifth
  })
}

/** Bells on a pentatonic scale, struck where the seed says, each ringing out with inharmonic partials. */
function bells() {
  const random = seeded(7)
  const scale = [392, 440, 523.25, 587.33, 659.25, 784]
  const strikes = Array.from({ length: 11 }, (_, i) => ({
    at: i * 0.62 + random() * 0.25,
    f: scale[Math.floor(random() * scale.length)],
    loud: 0.3 + random() * 0.5,
  }))
  return mix((t) =>
    sum(strikes, ({ at, f, loud }) => {
      const age = t - at
      if (age < 0) return 0
      const partials = [1, 2.76, 5.4]
      return sum(
        partials,
        (p, i) => Math.sin(TAU * f * p * age) * Math.exp(-age * (1.6 + i * 2.2)) * (loud / (1 + i * 3)),
      )
    }),
  )
}

/** A worn record: crackle over a chord that wows. */
function dust() {
  const random = seeded(23)
  const crackle = new Float32Array(LENGTH)
  for (let i = 0; i < 260; i += 1) {
    const at = Math.floor(random() * (LENGTH - 60))
    const loud = random() ** 3 * 0.7
    for (let n = 0; n < 40; n += 1) crackle[at + n] += (random() - 0.5) * loud * Math.exp(-n / 8)
  }
  const chord = [146.83, 174.61, 220, 261.63]
  return mix((t, n) => {
    const wow = t + Math.sin(TAU * 0.55 * t) * 0.0012
    const tremolo = 0.75 + Math.sin(TAU * 3.1 * t) * 0.25
    return (
      crackle[n] +
      sum(chord, (f) => Math.sin(TAU * f * wow) * 0.22 + Math.sin(TAU * 2 * f * wow) * 0.05) * tremolo
    )
  })
}

/** A glide over two octaves of overtones, from dark to bright and back. */
function drift() {
  const overtones = Array.from({ length: 14 }, (_, i) => i + 1)
  return mix((t) => {
    const centre = 2 + 9 * Math.sin((Math.PI * t) / SECONDS) ** 2
    return sum(overtones, (k) => Math.sin(TAU * 65.41 * k * t + k) * Math.exp(-((k - centre) ** 2) / 5) * 0.5)
  })
}

function mix(sample) {
  return Float32Array.from({ length: LENGTH }, (_, n) => sample(n / RATE, n))
}

function sum(items, value) {
  return items.reduce((total, item, index) => total + value(item, index), 0)
}

/** To a peak of 0.8, with both ends faded so that no clip begins or ends with a click. */
function soften(samples) {
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0.001)
  const fade = RATE * 0.4
  return samples.map((value, n) => ((value * 0.8) / peak) * Math.min(1, n / fade, (LENGTH - 1 - n) / fade))
}

function whiteNoise(seed) {
  const random = seeded(seed)
  return Float32Array.from({ length: LENGTH }, () => random() * 2 - 1)
}

function lowPass(samples, hertz) {
  const step = 1 - Math.exp((-TAU * hertz) / RATE)
  let held = 0
  return samples.map((value) => {
    held += step * (value - held)
    return held
  })
}

/** mulberry32 */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Mono at 48 kbit/s: about 48 KB. */
async function encode(samples) {
  const encoder = await createMp3Encoder()
  encoder.configure({ sampleRate: RATE, channels: 1, bitrate: 48 })
  const parts = [Buffer.from(encoder.encode([samples]))]
  parts.push(Buffer.from(encoder.finalize()))
  return Buffer.concat(parts)
}
