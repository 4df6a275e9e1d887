import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Compares server/db/tables/writers.json with the SQL of server/: which folders write to which table.
 * @param {string} root the project's folder
 * @returns {string[]} one sentence for each difference
 */
export function checkWriters(root) {
  const server = path.join(root, 'server')
  const files = readdirSync(server, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|sql)$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !file.includes(`${path.sep}migrations${path.sep}`))
  const texts = new Map(files.map((file) => [path.relative(server, file).replaceAll('\\', '/'), read(file)]))
  const tables = [...texts].flatMap(([file, text]) => (file.startsWith('db/tables/') ? tablesIn(text) : []))
  const found = new Map(tables.map((table) => [table, new Set()]))
  for (const [file, text] of texts)
    for (const table of writtenIn(text)) found.get(table)?.add(path.posix.dirname(file))

  const named = new Map(Object.entries(JSON.parse(read(path.join(server, 'db', 'tables', 'writers.json')))))
  return [...new Set([...found.keys(), ...named.keys()])].flatMap((table) => {
    const [code, list] = [[...(found.get(table) ?? [])], named.get(table) ?? []]
    return [
      ...code.filter((folder) => !list.includes(folder)).map((folder) => `${folder} writes to ${table}`),
      ...list
        .filter((folder) => !code.includes(folder))
        .map((folder) => `${folder} never writes to ${table}`),
    ]
  })
}

const read = (file) => readFileSync(file, 'utf8')

const tablesIn = (text) => [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name]) => name)

function writtenIn(text) {
  const code = text.replace(/^\s*(\/\/|\*|--).*$/gm, '')
  const writes = /\b(?:insert into|update|delete from|merge into|truncate|copy)\s+(?:only\s+)?(\w+)/gi
  return [...code.matchAll(writes)].map(([, table]) => table)
}
