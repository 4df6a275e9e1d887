import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import * as zod from 'zod/mini'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig(({ command }) => ({
  root: here('.'),
  // In development sources have addresses too, and those of web/api/ would be calls of the server.
  base: command === 'serve' ? '/@source/' : '/',
  plugins: [react(), tailwindcss(), contractWithoutSchemas()],
  build: { outDir: here('../dist/web'), emptyOutDir: true, target: 'es2022' },
  // The contract and the fonts lie beside web/, not in it.
  server: { fs: { allow: [here('..')] } },
}))

/**
 * The web reads methods, paths and types from the contract; checking is the server's work. So the contract gets
 * schemas without substance here, and the page is 8 KiB lighter. Whoever checks with one of them is told.
 */
function contractWithoutSchemas(): Plugin {
  const id = '\0schemas-without-substance'
  return {
    name: 'contract-without-schemas',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === 'zod/mini' && importer?.startsWith(here('../contract/')) ? id : null,
    load(module) {
      if (module !== id) return null
      const names = Object.keys(zod).filter((name) => /^\w+$/.test(name))
      return `${standIn}\nexport { ${names.map((name) => `schema as ${name}`).join(', ')} }`
    },
  }
}

/** Builds like a schema (`z.string().check(…)`, `z.coerce.number()`); whatever reads one throws. */
const standIn = `
const reads = /parse|^_zod$|^~standard$|^(def|shape|options|enum)$/i
const schema = new Proxy(() => schema, {
  get(_, name) {
    if (!reads.test(String(name))) return schema
    throw new Error('The schemas of the contract are not in the web bundle (asked for ' + String(name) + ')')
  },
})`
