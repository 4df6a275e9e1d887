/** A node of PostgreSQL's parse tree, such as VAR or COALESCE. */
export interface Node {
  kind: string
  fields: Record<string, Tree | undefined>
}

/** Null is an empty field. Text is everything that is neither a node nor a list. */
export type Tree = Node | Tree[] | string | null

/** Reads the text form that `debug_print_parse` gives: {KIND :field value :field (a b)}. */
export function readTree(text: string): Tree {
  const tokens = text.match(/[{}()]|(?:\\.|[^\s{}()\\])+/gs) ?? []
  let at = 0

  function readValue(): Tree {
    const token = tokens[at++]
    if (token === '{') return readNode()
    if (token === '(') return readList()
    return token === '<>' || token === undefined ? null : token
  }

  function readNode(): Node {
    const node: Node = { kind: tokens[at++] ?? '', fields: {} }
    while (at < tokens.length && tokens[at] !== '}') {
      const name = tokens[at++]?.slice(1) ?? ''
      const values: Tree[] = []
      while (at < tokens.length && tokens[at] !== '}' && !tokens[at]?.startsWith(':'))
        values.push(readValue())
      node.fields[name] = values.length === 1 ? values[0] : values
    }
    at++
    return node
  }

  function readList(): Tree[] {
    const list: Tree[] = []
    while (at < tokens.length && tokens[at] !== ')') list.push(readValue())
    at++
    return list
  }

  return readValue()
}

export const isNode = (tree: Tree | undefined): tree is Node =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree)

export const nodesOf = (tree: Tree | undefined): Node[] => (Array.isArray(tree) ? tree.filter(isNode) : [])
