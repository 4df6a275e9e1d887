import { columnsOf, leavesOf, open, type Scope, tableAt } from './scope.ts'
import { isNode, type Node, nodesOf, type Tree } from './tree.ts'

/** What PostgreSQL's catalogue says of tables and functions, by oid. */
export interface Catalogue {
  /** `table.column` by number. */
  notNull: ReadonlySet<string>
  functionNames: ReadonlyMap<string, string>
  /** The functions behind casts. */
  casts: ReadonlySet<string>
}

/**
 * Finds the columns of a statement that can never be null. When in doubt it says that a column can: the query then
 * needs a `coalesce`, or a function an entry in NEVER_NULL.
 */
export class Nullability {
  readonly #catalogue: Catalogue
  readonly #isNullable: readonly boolean[]

  /** @param values whether each value that is sent beside the text can be null. */
  constructor(catalogue: Catalogue, values: readonly boolean[]) {
    this.#catalogue = catalogue
    this.#isNullable = values
  }

  /** For each column of the result, whether it is never null. */
  read(statement: Tree | undefined): boolean[] {
    if (!isNode(statement)) return []
    const scope = open(statement, null)
    return columnsOf(statement).map((_, n) => this.#column(scope, n))
  }

  /** Whether the n-th column of a query is never null, in all parts of a UNION. */
  #column(scope: Scope, n: number): boolean {
    const parts = leavesOf(scope.query.fields.setOperations)
    if (parts.length === 0) return this.#holds(columnsOf(scope.query)[n]?.fields.expr, scope)
    return parts.every((at) => {
      const part = tableAt(scope, at)?.fields.subquery
      return isNode(part) && this.#column(open(part, scope), n)
    })
  }

  /** Whether an expression is never null. */
  #holds(tree: Tree | undefined, scope: Scope): boolean {
    if (!isNode(tree)) return false
    const { kind, fields } = tree
    const every = (list: Tree | undefined) => nodesOf(list).every((each) => this.#holds(each, scope))
    switch (kind) {
      case 'CONST':
        return fields.constisnull === 'false'
      case 'PARAM':
        return this.#isNullable[Number(fields.paramid) - 1] === false
      case 'VAR':
        return this.#variable(tree, scope)
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'COLLATEEXPR':
        return this.#holds(fields.arg, scope)
      case 'COALESCE':
      case 'COALESCEEXPR':
      case 'MINMAX':
      case 'MINMAXEXPR':
        return nodesOf(fields.args).some((each) => this.#holds(each, scope))
      case 'CASE':
      case 'CASEEXPR':
        return (
          this.#holds(fields.defresult, scope) &&
          nodesOf(fields.args).every((when) => this.#holds(when.fields.result, scope))
        )
      case 'BOOLEXPR':
        return every(fields.args)
      case 'OPEXPR':
      case 'SCALARARRAYOPEXPR':
        return !CAN_GIVE_NULL.has(this.#nameOf(fields.opfuncid)) && every(fields.args)
      case 'FUNCEXPR':
        return this.#call(fields.funcid, every(fields.args))
      case 'AGGREF':
        return this.#aggregate(tree, scope)
      case 'WINDOWFUNC':
        return /^(row_number|rank|dense_rank|count|ntile)$/.test(this.#nameOf(fields.winfnoid))
      case 'SUBLINK':
        return this.#subquery(tree, scope)
      default:
        return NEVER_NULL_KINDS.has(kind)
    }
  }

  #variable({ fields }: Node, scope: Scope): boolean {
    let at: Scope | null = scope
    for (let up = Number(fields.varlevelsup); up > 0 && at; up--) at = at.outer
    const [table, column] = [Number(fields.varno), Number(fields.varattno)]
    const entry = at && tableAt(at, table)
    if (!at || !entry) return false
    if (at.required.has(`${table}.${column}`)) return true
    return !at.optional.has(table) && this.#tableColumn(entry, column, at)
  }

  #tableColumn({ fields }: Node, column: number, scope: Scope): boolean {
    switch (KINDS_OF_TABLE[Number(fields.rtekind)]) {
      case 'table':
        return column < 0 || this.#catalogue.notNull.has(`${fields.relid}.${column}`)
      case 'subquery':
        return isNode(fields.subquery) && this.#column(open(fields.subquery, scope), column - 1)
      case 'join':
        return this.#holds(nodesOf(fields.joinaliasvars)[column - 1], scope)
      case 'function':
        return this.#functionColumn(fields, column)
      case 'values':
        return (fields.values_lists as Tree[]).every((row) => this.#holds(nodesOf(row)[column - 1], scope))
      case 'with':
        return this.#withColumn(String(fields.ctename), Number(fields.ctelevelsup), column, scope)
      case 'group':
        return this.#holds(nodesOf(fields.groupexprs)[column - 1], scope)
      default:
        return false
    }
  }

  #functionColumn({ functions, funcordinality }: Node['fields'], column: number): boolean {
    const [call] = nodesOf(functions)
    const columns = Number(call?.fields.funccolcount)
    if (funcordinality === 'true' && column === columns + 1) return true
    const expression = call?.fields.funcexpr
    const name = isNode(expression) ? this.#nameOf(expression.fields.funcid) : ''
    return NEVER_NULL.has(columns > 1 ? `${name}.${column}` : name)
  }

  #withColumn(name: string, up: number, column: number, scope: Scope): boolean {
    let at: Scope | null = scope
    for (let n = up; n > 0 && at; n--) at = at.outer
    const found = nodesOf(at?.query.fields.cteList).find(({ fields }) => fields.ctename === name)
    const query = found?.fields.ctequery
    if (!isNode(query) || found?.fields.cterecursive === 'true') return false
    return this.#column(open(query, at), column - 1)
  }

  #call(oid: Tree | undefined, hasAll: boolean): boolean {
    const name = this.#nameOf(oid)
    if (NEVER_NULL.has(name)) return true
    return hasAll && (STRICT.has(name) || this.#catalogue.casts.has(String(oid)))
  }

  #aggregate({ fields }: Node, { query, ...scope }: Scope): boolean {
    if (this.#nameOf(fields.aggfnoid) === 'count') return true
    // Each group has a row, so it has a value if each row has one.
    return (
      nodesOf(query.fields.groupClause).length > 0 &&
      fields.aggfilter === null &&
      nodesOf(fields.args).every((each) => this.#holds(each.fields.expr, { query, ...scope }))
    )
  }

  #subquery({ fields }: Node, scope: Scope): boolean {
    const kind = KINDS_OF_SUBQUERY[Number(fields.subLinkType)]
    if (kind === 'exists' || kind === 'array') return true
    const { subselect } = fields
    if (!isNode(subselect)) return false
    const inner = open(subselect, scope)
    if (kind === 'any') return this.#holds(fields.testexpr, scope) && this.#column(inner, 0)
    // Without groups an aggregate always has one row.
    const hasOneRow =
      subselect.fields.hasAggs === 'true' &&
      nodesOf(subselect.fields.groupClause).length === 0 &&
      !isNode(subselect.fields.havingQual)
    return kind === 'value' && hasOneRow && this.#column(inner, 0)
  }

  #nameOf(oid: Tree | undefined): string {
    return this.#catalogue.functionNames.get(String(oid)) ?? ''
  }
}

const KINDS_OF_TABLE = [
  'table',
  'subquery',
  'join',
  'function',
  'tablefunction',
  'values',
  'with',
  'tuplestore',
  'result',
  'group',
]
const KINDS_OF_SUBQUERY = ['exists', 'all', 'any', 'rows', 'value', 'values', 'array', 'with']

const NEVER_NULL_KINDS = new Set([
  'NULLTEST',
  'BOOLEANTEST',
  'DISTINCTEXPR',
  'ARRAYEXPR',
  'ARRAY',
  'ROWEXPR',
  'ROW',
  'SQLVALUEFUNCTION',
])

/** Operators that give null for values that are not: the rest of PostgreSQL's own never do. */
const CAN_GIVE_NULL = new Set([
  'jsonb_object_field',
  'jsonb_object_field_text',
  'jsonb_array_element',
  'jsonb_array_element_text',
  'jsonb_extract_path',
  'jsonb_extract_path_text',
])

/** Functions of PostgreSQL that give null only for null, besides casts. */
const STRICT = new Set([
  'ceil',
  'current_setting',
  'extract',
  'now',
  'pg_current_wal_lsn',
  'pg_get_indexdef',
  'pg_is_in_recovery',
  'quote_ident',
  'timezone',
  'to_char',
])

/** Functions that never give null, whatever their arguments; `name.2` is the second column of one that gives rows. */
const NEVER_NULL = new Set([
  'fold_changes_v2',
  'move_windows_v2',
  'next_songs_v4.1',
  'next_songs_v4.3',
  'next_songs_v4.4',
  'next_songs_v4.5',
  'next_songs_v4.9',
  'next_songs_v4.15',
  'next_songs_v4.16',
  'next_songs_v4.17',
  'not_now_v3.1',
  'rate_song_v5.1',
  'rate_song_v5.3',
  'rate_song_v5.4',
  'rate_song_v5.5',
  'rate_song_v5.6',
  'rate_song_v5.7',
  'rate_song_v5.8',
  'rate_song_v5.9',
  'rating_figures_v2.1',
  'rating_figures_v2.2',
  'rating_figures_v2.3',
  'rating_figures_v2.4',
  'rating_figures_v2.5',
  'rating_figures_v2.6',
  'rating_figures_v2.7',
  'restart_microgenre_v1',
  'take_back_not_now_v1',
  'unrate_song_v2',
])
