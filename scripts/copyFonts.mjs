/*
 * Copies what share pictures are drawn with into dist/: of each font the files that are used, and the emoji. Their packages
 * are ten times as large, so they are development packages. Node finds the copies in dist/node_modules in their place.
 */
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
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
  await copy(`@fontsource/${family.name}`, used, 'files')
}
await copy('@iconify-json/twemoji', EMOJI_FILES)

/** Copies these files of a folder of the package, and what says whose they are. */
async function copy(name, files, folder = '') {
  const from = path.join(root, 'node_modules', name)
  const to = path.join(place, name)
  await mkdir(path.join(to, folder), { recursive: true })
  const about = (await readdir(from)).filter((file) => /^(LICENSE|(package|metadata|info)\.json)$/.test(file))
  const all = [...about, ...files.map((file) => path.join(folder, file))]
  await Promise.all(all.map((file) => copyFile(path.join(from, file), path.join(to, file))))
}
