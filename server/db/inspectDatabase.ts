import type { Queryable } from './sql.ts'

export interface Inspection {
  version: string
  /** Why this server cannot run on the database, for the operator. */
  incompatibility: string | null
  /** Why the role cannot create tables and functions in it, for the operator. */
  missingPrivilege: string | null
}

interface Properties {
  version: string
  number: number
  encoding: string
  name: string
  role: string
  schema: string | null
  mayCreate: boolean
}

/** Checks what the server needs of an operator's own PostgreSQL. */
export async function inspectDatabase(db: Queryable): Promise<Inspection> {
  const [row] = await db<Properties[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding, quote_ident(current_database()) as name,
      quote_ident(current_user) as role, current_schema()::text as schema,
      has_database_privilege(current_database(), 'create')
        and coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`
  const { version, number, encoding, name, role, schema, mayCreate } = row as Properties
  return {
    version: version.split(' ')[0] as string,
    incompatibility: findIncompatibility(),
    missingPrivilege: findMissingPrivilege(),
  }

  function findIncompatibility(): string | null {
    if (number < 150000)
      return `PostgreSQL 15 or newer is required; this server is ${Math.floor(number / 10000)}.`
    if (encoding === 'UTF8') return null
    return `The database ${name} has the encoding ${encoding}, in which not every name can be stored and found. Create another: CREATE DATABASE … OWNER ${role} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`
  }

  function findMissingPrivilege(): string | null {
    if (mayCreate) return null
    if (schema === null)
      return `The database ${name} has a search_path that names no schema. Give it one: ALTER DATABASE ${name} SET search_path = public`
    return `The role ${role} may not create tables in the schema ${schema} of the database ${name}. Make it the owner: ALTER DATABASE ${name} OWNER TO ${role}`
  }
}
