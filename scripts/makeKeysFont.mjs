// Makes web/discovery/keys.woff2, the letters of the two keys out of the display font, with its weights and widths: 4 KB that
// are there with the first paint (screens-23). `node scripts/makeKeysFont.mjs`
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import subsetFont from 'subset-font'
import { root } from './root.mjs'

const font = 'node_modules/@fontsource-variable/anybody/files/anybody-latin-standard-normal.woff2'
const file = path.join(root, 'web', 'discovery', 'keys.woff2')
const letters = await subsetFont(await readFile(path.join(root, font)), 'BUST BANGER', {
  targetFormat: 'woff2',
})
await writeFile(file, letters)
console.log(file)
