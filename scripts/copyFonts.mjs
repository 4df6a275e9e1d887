/*
 * Copies what share pictures are drawn with into dist/: of each font the files that are used, and the emoji. Their packages
 * are ten times as large, so they are development packages. Node finds the copies in dist/node_modules in their place.
 */
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { root } from './root.mjs'

const place = path.join(root, 'dist', 'node_modules')
// First, because the program below would find the files of an earlier build.
await rm(place, { recursive: true, force: true })
const pictures = '../dist/server/sharing/pictures'
const { FAMILIES } = await import(`${pictures}/families.js`)
const { filesOf } = await import(`${pictures}/fontFiles.js`)
const { EMOJI_FILES } = await import(`${pictures}/emoji.js`)

for (const family of FAMILIES) {
  const used = filesOf(family).flatMap(({ weights }) => weights.map((weight) => path.basename(weight.path)))
  await copy(
    `@fontsource/${family.name}`,
    used.map((file) => `files/${file}`),
  )
}
await copy('@iconify-json/twemoji', EMOJI_FILES)

async function copy(name, files) {
  const from = path.join(root, 'node_modules', name)
  const about = (await readdir(from)).filter((file) => /^(LICENSE|(package|metadata|info)\.json)$/.test(file))
  for (const file of [...about, ...files]) {
    const to = path.join(place, name, file)
    await mkdir(path.dirname(to), { recursive: true })
    await cp(path.join(from, file), to)
  }
}
