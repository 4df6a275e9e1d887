const RATE = 8000

/** A quiet A of that many seconds: mono, 8 bit, WAV. */
export function toneAsWav(seconds: number): Buffer {
  const samples = Buffer.alloc(RATE * seconds)
  for (let n = 0; n < samples.length; n++)
    samples[n] = 128 + Math.round(12 * Math.sin((2 * Math.PI * 440 * n) / RATE))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // mono
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(RATE, 28) // bytes a second
  header.writeUInt16LE(1, 32) // bytes a sample
  header.writeUInt16LE(8, 34) // bits a sample
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}
