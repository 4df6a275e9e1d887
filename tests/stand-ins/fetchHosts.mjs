// Loaded into a program (`node --import`): `fetch` asks the stand-ins that FETCH_HOSTS lists by the host that they
// stand
// in for. The program believes that it asks the public service, and keeps its limits.
const stand = JSON.parse(process.env.FETCH_HOSTS ?? '{}')
const real = globalThis.fetch

globalThis.fetch = (address, init) => {
  const url = new URL(address)
  return real(stand[url.hostname] ? new URL(url.pathname + url.search, stand[url.hostname]) : url, init)
}
