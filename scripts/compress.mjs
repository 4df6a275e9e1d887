// Writes a Brotli and a gzip copy of each text file of the built web, so that serving needs no CPU.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from './root.mjs'

const folder = path.join(root, 'dist', 'web')
const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const files = entries
  .filter((entry) => entry.isFile() && /\.(js|css|svg|json)$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))

await Promise.all(
  files.map(async (file) => {
    const text = await readFile(file)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(text, quality))
    await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }))
  }),
)
