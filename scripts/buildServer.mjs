/*
 * Writes each module of the server, the contract and the catalogue to dist/ as JavaScript, at the path that it has in
 * the sources: stack traces name it, and workers and data are found next to it. `npm test` checks the types.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { transformWithOxc } from 'vite'
import { root } from './steps.mjs'

const folders = ['server', 'contract', 'catalogue']
const options = {
  target: 'es2023',
  sourcemap: true,
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
}

for (const folder of folders) {
  const entries = await readdir(path.join(root, folder), { recursive: true })
  const files = entries.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  await Promise.all(files.map((file) => build(path.join(folder, file))))
}

async function build(file) {
  const source = path.join(root, file)
  const { code, map } = await transformWithOxc(await readFile(source, 'utf8'), source, options)
  const target = path.join(root, 'dist', file.replace(/\.ts$/, '.js'))
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, `${code}//# sourceMappingURL=${path.basename(target)}.map\n`)
  await writeFile(`${target}.map`, JSON.stringify(map))
}
