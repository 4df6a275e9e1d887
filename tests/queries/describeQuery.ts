import type { ClientBase, Connection, FieldDef, Submittable } from 'pg'

/**
 * Lets PostgreSQL parse a statement and describe its rows, without running it.
 * @throws PostgreSQL's error
 */
export function describeQuery(client: ClientBase, text: string): Promise<FieldDef[]> {
  const description = new Description(text)
  client.query(description)
  return description.fields
}

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
