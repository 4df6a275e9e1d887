import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Compares server/db/tables/writers.json with the SQL of server/: which folders write to which table. A dynamic name
 * counts as each name of the `as const` list, or of the mark of listenerTables.ts, that a loop in the same file takes it
 * from, and as '*', any table, when there is no such list. Statements that are dynamic as a whole are listed in tests/queries/queries.test.ts.
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
  const found = new Map([...tables, '*'].map((table) => [table, new Set()]))
  for (const [file, text] of texts)
    for (const table of writtenIn(text, texts.get('db/tables/listenerTables.ts') ?? ''))
      found.get(table)?.add(path.posix.dirname(file))

  const named = new Map(Object.entries(JSON.parse(read(path.join(server, 'db', 'tables', 'writers.json')))))
  return [...new Set([...found.keys(), ...named.keys()])].flatMap((table) => {
    const [code, list] = [[...(found.get(table) ?? [])], named.get(table) ?? []]
    return [
      ...code
        .filter((folder) => !list.includes(folder))
        .map((folder) => `${folder} writes to ${name(table)}`),
      ...list
        .filter((folder) => !code.includes(folder))
        .map((folder) => `${folder} never writes to ${name(table)}`),
    ]
  })
}

const read = (file) => readFileSync(file, 'utf8')

const tablesIn = (text) => [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name]) => name)

const name = (table) => (table === '*' ? 'a dynamic table name without an `as const` list' : table)

const TARGET = String.raw`(?:only\s+)?(?:public\.)?(?:"?\w+|\$\{[^}]*\})`
const WRITES = new RegExp(
  String.raw`\b(?:insert into|update|delete from|merge into|truncate(?: table)?|copy)\s+(${TARGET}(?:\s*,\s*${TARGET})*)`,
  'gi',
)

function writtenIn(text, listenerTables) {
  const code = text.replace(/^\s*(\/\/|\*|--).*$/gm, '')
  const targets = [...code.matchAll(WRITES)].flatMap(([, list]) => list.split(/\s*,\s*/))
  return targets.flatMap((target) =>
    target.includes('${') ? namesOf(target, code, listenerTables) : [/\w+$/.exec(target)?.[0] ?? '*'],
  )
}

/** The names that `${db(table)}` can write: those of each list that a loop gives to `table`. */
function namesOf(target, code, listenerTables) {
  const [, variable] = /\$\{(?:\w+\()?(\w+)\)?\}$/.exec(target) ?? []
  const loops = [
    ...code.matchAll(new RegExp(String.raw`\bconst ${variable} of (\w+|\[[^\]]*\] as const)\)`, 'g')),
  ]
  const lists = loops.map(([, list]) =>
    list.startsWith('[')
      ? list
      : (new RegExp(String.raw`\bconst ${list} = (\[[^\]]*\] as const)`).exec(code)?.[1] ??
        markedTables(
          new RegExp(String.raw`\bconst ${list} = listenerTablesThat\('(\w+)'\)`).exec(code)?.[1],
        )),
  )
  function markedTables(mark) {
    const tables = [...listenerTables.matchAll(/^ {2}(\w+): \{(.*?)(?: |^ {2})\},?$/gms)]
    const marked = tables
      .filter(([, , marks]) => marks.includes(`${mark}: true`))
      .map(([, table]) => `'${table}'`)
    return mark && `[${marked.join(', ')}] as const`
  }
  const areReadable =
    lists.length > 0 && lists.every((list) => /^\[(\s*'\w+',?)*\s*\] as const$/.test(list ?? ''))
  return areReadable ? lists.flatMap((list) => list.match(/\w+(?=')/g) ?? []) : ['*']
}
