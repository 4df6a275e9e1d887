import {
  type CallExpression,
  isCallExpression,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
  isTaggedTemplateExpression,
  type Node,
} from 'typescript/unstable/ast'
import { API, type Checker, type Type } from 'typescript/unstable/sync'
import { packagePath } from '../../server/packagePath.ts'
import { Dynamic, Expander, nameOf, type Variant } from './expand.ts'

export interface CollectedQuery {
  /** File and line. */
  place: string
  /** The texts that it can become, or the part that is known only when the program runs. */
  texts: Variant[] | Dynamic
  /** The declared rows; null for a part of statements, which has none of its own. */
  rows: Type | null
}

export interface Collection {
  queries: CollectedQuery[]
  checker: Checker
  close(): void
}

/** All SQL in a folder of a project: templates outside of others, and texts sent without a template. */
export function collectQueries(tsconfig: string, folder: string): Collection {
  const root = `${packagePath('').replaceAll('\\', '/')}/`
  const api = new API({ cwd: root })
  const [project] = api.updateSnapshot({ openProjects: [root + tsconfig] }).getProjects()
  if (!project) throw new Error(`TypeScript did not open ${tsconfig}.`)
  const { program, checker } = project
  const expander = new Expander(checker)
  const queries: { node: Node; query: CollectedQuery }[] = []
  for (const name of project.rootFiles) {
    const file = name.startsWith(`${root}${folder}/`) && program.getSourceFile(name)
    if (!file) continue
    const visit = (node: Node): void => {
      const read = readTemplate(checker, expander, node) ?? readCall(checker, node)
      if (read) {
        const line = file.text.slice(0, node.getStart()).split('\n').length
        queries.push({ node, query: { ...read, place: `${name.slice(root.length)}:${line}` } })
      }
      node.forEachChild(visit)
    }
    file.forEachChild(visit)
  }
  return {
    queries: queries.filter(({ node }) => !expander.parts.has(node)).map(({ query }) => query),
    checker,
    close: () => api.close(),
  }
}

type QueryText = Omit<CollectedQuery, 'place'>

/** A template of `server/db/sql.ts`. */
function readTemplate(checker: Checker, expander: Expander, node: Node): QueryText | undefined {
  if (!isTaggedTemplateExpression(node)) return undefined
  const type = checker.getTypeAtLocation(node)
  if (!type || nameOf(type) !== 'Query' || !type.isTypeReference()) return undefined
  const isPart = checker.getContextualType(node)?.getAliasSymbol()?.name === 'Fragment'
  return {
    texts: unlessDynamic(() => expander.expand(node)),
    rows: isPart ? null : (checker.getTypeArguments(type)[0] ?? null),
  }
}

function unlessDynamic(expand: () => Variant[]): Variant[] | Dynamic {
  try {
    return expand()
  } catch (error) {
    if (error instanceof Dynamic) return error
    throw error
  }
}

/** Calls that send a text, by the types that have them. */
const SENDERS = new Map([
  ['query', /^(Client|ClientBase|PoolClient|DatabaseClient)$/],
  ['unsafe', /^(Queryable|Transaction|Database)$/],
  ['copyIn', /^Transaction$/],
  ['copyOut', /^Transaction$/],
])

function readCall(checker: Checker, node: Node): QueryText | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined
  const { expression, name } = node.expression
  const senders = SENDERS.get(name.text)
  const owner = senders && checker.getTypeAtLocation(expression)
  if (!owner || !senders.test(nameOf(owner) ?? '')) return undefined
  const [text] = node.arguments
  if (!text || !(isStringLiteral(text) || isNoSubstitutionTemplateLiteral(text)) || name.text !== 'query')
    return { texts: new Dynamic(node.expression.getText()), rows: null }
  return { texts: [readText(text.text)], rows: declaredRows(checker, node) }
}

/** $1 and so on are values. */
const readText = (text: string): Variant =>
  text.split(/\$\d+/).flatMap((part, n) => (n === 0 ? [part] : [{ cast: '' }, part]))

/** The rows of `client.query<Row>`. */
function declaredRows(checker: Checker, node: CallExpression): Type | null {
  const result = checker.getTypeAtLocation(node)
  const answer = result?.isTypeReference() ? checker.getTypeArguments(result)[0] : undefined
  const rows = answer && checker.getPropertyOfType(answer, 'rows')
  return (rows && checker.getTypeOfSymbol(rows)) ?? null
}
