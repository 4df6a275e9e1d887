/** Exits with a clear message on a Node that the dependencies do not support. Runs on any Node with ES modules. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  console.error(
    `Banger or Bust needs Node 20.19, 22.12, or 24 and newer; this is ${process.versions.node}. See https://nodejs.org.`,
  )
  process.exit(1)
}
