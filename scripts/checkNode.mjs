/** Exits with a clear message when Node is too old. Runs on any Node with ES modules. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Banger or Bust needs Node 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org.`,
  )
  process.exit(1)
}
