import { isNode, type Node, nodesOf, type Tree } from './tree.ts'

/** A query, and the queries around it. */
export interface Scope {
  query: Node
  outer: Scope | null
  /** Positions of the tables that an outer join can leave without a row. */
  optional: ReadonlySet<number>
  /** Columns that are not null in every row, because a condition says so. */
  required: ReadonlySet<string>
}

/** The visible columns of the result. */
export function columnsOf({ fields }: Node): Node[] {
  const list = fields.commandType === '1' ? fields.targetList : fields.returningList
  return nodesOf(list).filter(({ fields }) => fields.resjunk === 'false')
}

export const tableAt = ({ query }: Scope, position: number) => nodesOf(query.fields.rtable)[position - 1]

/** Positions of the queries of a UNION. */
export function leavesOf(tree: Tree | undefined): number[] {
  if (!isNode(tree)) return []
  if (tree.kind === 'RANGETBLREF') return [Number(tree.fields.rtindex)]
  return [...leavesOf(tree.fields.larg), ...leavesOf(tree.fields.rarg)]
}

export function open(query: Node, outer: Scope | null): Scope {
  const optional = new Set<number>()
  const required = new Set<string>()
  readJoins(query.fields.jointree, optional, required, false)
  // RETURNING gives the new values, conditions held for the old ones.
  for (const column of required)
    if (column.startsWith(`${query.fields.resultRelation}.`)) required.delete(column)
  return { query, outer, optional, required }
}

const JOINS = ['inner', 'left', 'full', 'right']

function readJoins(
  tree: Tree | undefined,
  optional: Set<number>,
  required: Set<string>,
  isOptional: boolean,
): void {
  if (!isNode(tree)) return
  const { kind, fields } = tree
  if (kind === 'RANGETBLREF' && isOptional) optional.add(Number(fields.rtindex))
  if (kind === 'FROMEXPR') {
    for (const each of nodesOf(fields.fromlist)) readJoins(each, optional, required, isOptional)
    if (!isOptional) readConditions(fields.quals, required)
  }
  if (kind === 'JOINEXPR') {
    const type = JOINS[Number(fields.jointype)]
    readJoins(fields.larg, optional, required, isOptional || type === 'right' || type === 'full')
    readJoins(fields.rarg, optional, required, isOptional || type === 'left' || type === 'full')
    if (type === 'inner' && !isOptional) readConditions(fields.quals, required)
  }
}

/** A row passes `x is not null and x = y` only with values. */
function readConditions(tree: Tree | undefined, required: Set<string>): void {
  if (!isNode(tree)) return
  const { kind, fields } = tree
  if (kind === 'BOOLEXPR' && fields.boolop === 'and')
    for (const each of nodesOf(fields.args)) readConditions(each, required)
  const needed =
    kind === 'NULLTEST' && fields.nulltesttype === '1'
      ? [fields.arg]
      : kind === 'OPEXPR'
        ? nodesOf(fields.args)
        : []
  for (const each of needed) {
    if (isNode(each) && each.kind === 'VAR' && each.fields.varlevelsup === '0')
      required.add(`${each.fields.varno}.${each.fields.varattno}`)
  }
}
