import { escapeIdentifier } from 'pg'
import {
  isArrowFunction,
  isAsExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAssignment,
  isReturnStatement,
  isShorthandPropertyAssignment,
  isTaggedTemplateExpression,
  isVariableDeclaration,
  type Node,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { type Checker, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import { functions } from '../../server/db/functions.ts'

/** A value that is sent beside the text. */
export interface Value {
  /** What `server/db/sql.ts` writes behind it. */
  cast: string
}

/** The name of a table or column, one of several that the same expression can write. */
export interface Name {
  expression: string
  text: string
}

/** One text that a template can become. */
export type Variant = readonly (string | Value | Name)[]

/** The arguments of the functions that are being expanded. */
type Arguments = ReadonlyMap<number, { node: Node; bindings: Arguments }>

/** A part of the text that is known only when the program runs. */
export class Dynamic extends Error {}

/** Writes out templates with the parts that they contain. */
export class Expander {
  /** Templates that are part of an expanded one. */
  readonly parts = new Set<Node>()
  readonly #checker: Checker

  constructor(checker: Checker) {
    this.#checker = checker
  }

  /** @throws Dynamic */
  expand({ template }: TaggedTemplateExpression, bindings: Arguments = new Map()): Variant[] {
    if (isNoSubstitutionTemplateLiteral(template)) return [[template.text]]
    let variants: Variant[] = [[template.head.text]]
    for (const { expression, literal } of template.templateSpans) {
      const inner = this.#read(expression, bindings)
      variants = variants
        .flatMap((start) => inner.map((one) => [...start, ...one, literal.text]))
        .filter(isConsistent)
    }
    return variants
  }

  #read(node: Node, bindings: Arguments): Variant[] {
    const type = this.#typeOf(node)
    if (isFragment(type)) return this.#readPart(node, bindings)
    if (nameOf(type) === 'Identifier') return this.#readName(node)
    return [[{ cast: castOf(membersOf(type)) }]]
  }

  #readPart(node: Node, bindings: Arguments): Variant[] {
    if (isTaggedTemplateExpression(node)) {
      this.parts.add(node)
      return this.expand(node, bindings)
    }
    if (isParenthesizedExpression(node) || isAsExpression(node))
      return this.#readPart(node.expression, bindings)
    if (isConditionalExpression(node))
      return [node.whenTrue, node.whenFalse].flatMap((each) => this.#readPart(each, bindings))
    if (isIdentifier(node)) return this.#readVariable(node, bindings)
    if (isCallExpression(node)) return this.#readCall(node.expression, node.arguments, bindings)
    if (isElementAccessExpression(node)) return this.#readEach(node.expression, bindings)
    throw new Dynamic(node.getText())
  }

  #readVariable(node: Node, bindings: Arguments): Variant[] {
    const symbol = this.#checker.getSymbolAtLocation(node)
    const declaration = symbol?.valueDeclaration?.resolve()
    const argument = symbol && bindings.get(symbol.id)
    if (argument) return this.#readPart(argument.node, argument.bindings)
    if (declaration && isVariableDeclaration(declaration) && declaration.initializer)
      return this.#readPart(declaration.initializer, bindings)
    throw new Dynamic(node.getText())
  }

  /** The texts that a function of this project returns. */
  #readCall(callee: Node, values: readonly Node[], bindings: Arguments): Variant[] {
    let definition = this.#declarationOf(callee)
    if (definition && isVariableDeclaration(definition)) definition = definition.initializer
    if (
      !definition ||
      !(isArrowFunction(definition) || isFunctionDeclaration(definition)) ||
      !definition.body
    )
      throw new Dynamic(`${callee.getText()}()`)
    const innerBindings = new Map(bindings)
    for (const [n, parameter] of definition.parameters.entries()) {
      const id = this.#checker.getSymbolAtLocation(parameter.name)?.id
      const value = values[n]
      if (isParameterDeclaration(parameter) && id !== undefined && value)
        innerBindings.set(id, { node: value, bindings })
    }
    return returnsOf(definition.body).flatMap((each) => this.#readPart(each, innerBindings))
  }

  /** Every value of an object, of which the program chooses one. */
  #readEach(node: Node, bindings: Arguments): Variant[] {
    const definition = isObjectLiteralExpression(node) ? node : this.#declarationOf(node)
    const object = definition && isVariableDeclaration(definition) ? definition.initializer : definition
    if (!object || !isObjectLiteralExpression(object)) throw new Dynamic(node.getText())
    return object.properties.flatMap((each) => {
      if (isPropertyAssignment(each)) return this.#readPart(each.initializer, bindings)
      if (isShorthandPropertyAssignment(each)) return this.#readVariable(each.name, bindings)
      throw new Dynamic(each.getText())
    })
  }

  /** Every name that a call such as `db(table)` can write, when the type of its argument lists them. */
  #readName(node: Node): Variant[] {
    if (node.getText() === 'functions') return [[functions.text]]
    const [argument] = isCallExpression(node) ? node.arguments : []
    const names = argument ? membersOf(this.#typeOf(argument)) : []
    if (names.length === 0 || !names.every((name) => name.isStringLiteralType()))
      throw new Dynamic(node.getText())
    return names.map((name) => [
      { expression: node.getText(), text: escapeIdentifier(String((name as { value?: unknown }).value)) },
    ])
  }

  #declarationOf(node: Node): Node | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node)
    const own = symbol && symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
    return own?.valueDeclaration?.resolve()
  }

  #typeOf(node: Node): Type {
    const type = this.#checker.getTypeAtLocation(node)
    if (!type) throw new Dynamic(node.getText())
    return type
  }
}

/** The members of a union, or the type itself. */
export const membersOf = (type: Type): readonly Type[] =>
  type.isUnionType() ? (type.getTypes() ?? []) : [type]

export const nameOf = (type: Type) => type.getSymbol()?.name

const isFragment = (type: Type) =>
  membersOf(type).some((each) => nameOf(each) === 'Query' || each.getAliasSymbol()?.name === 'Fragment')

/** Mirrors `typeOf` in `server/db/sql.ts`. */
function castOf(types: readonly Type[]): string {
  const sentTypes = types.filter(({ flags }) => !(flags & (TypeFlags.Null | TypeFlags.Undefined)))
  const everyType = (holds: (type: Type) => boolean) => sentTypes.length > 0 && sentTypes.every(holds)
  if (everyType(({ flags }) => Boolean(flags & TypeFlags.BooleanLike))) return '::boolean'
  if (everyType(({ flags }) => Boolean(flags & TypeFlags.BigIntLike))) return '::bigint'
  if (everyType((type) => nameOf(type) === 'Date')) return '::timestamptz'
  if (everyType((type) => /^(Buffer|Uint8Array)$/.test(nameOf(type) ?? ''))) return '::bytea'
  return ''
}

/** An expression that is written twice writes the same name. */
function isConsistent(variant: Variant): boolean {
  const names = new Map<string, string>()
  return variant.every((part) => {
    if (typeof part === 'string' || !('expression' in part)) return true
    const { expression, text } = part
    if (!names.has(expression)) names.set(expression, text)
    return names.get(expression) === text
  })
}

function returnsOf(body: Node): Node[] {
  if (!isBlock(body)) return [body]
  const returned: Node[] = []
  const visit = (node: Node): void => {
    if (isReturnStatement(node) && node.expression) returned.push(node.expression)
    else if (!isArrowFunction(node)) node.forEachChild(visit)
  }
  body.forEachChild(visit)
  return returned
}
