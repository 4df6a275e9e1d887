import type { ClientBase, Connection, FieldDef, Submittable } from 'pg'
import { readTree, type Tree } from './tree.ts'

export interface Described {
  fields: FieldDef[]
  /** The statement as PostgreSQL understands it: every column, function and join resolved. */
  tree: Tree | undefined
}

/**
 * Lets PostgreSQL parse a statement and describe its rows, without running it. The parse tree comes as a notice.
 * @throws PostgreSQL's error
 */
export async function describe(client: ClientBase, text: string): Promise<Described> {
  let tree: Tree | undefined
  const read = ({ message, detail }: { message?: string; detail?: string }) => {
    if (message === 'parse tree:') tree = readTree(detail ?? '')
  }
  client.on('notice', read)
  try {
    const description = new Description(text)
    client.query(description)
    return { fields: await description.fields, tree }
  } finally {
    client.off('notice', read)
  }
}

/** Sends the parse trees of statements as notices. */
export const SHOW_TREES =
  'set debug_print_parse = on; set debug_pretty_print = off; set client_min_messages = log'

/** Parse and Describe of the extended protocol. pg calls the methods. */
class Description implements Submittable {
  readonly fields: Promise<FieldDef[]>
  readonly #text: string
  #found: FieldDef[] = []
  #resolve: (fields: FieldDef[]) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(text: string) {
    this.#text = text
    this.fields = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection) {
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }) {
    this.#found = fields
  }

  handleError(error: unknown) {
    this.#reject(error)
  }

  handleReadyForQuery() {
    this.#resolve(this.#found)
  }
}
