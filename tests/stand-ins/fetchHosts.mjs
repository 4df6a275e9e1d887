// Loaded into a program (`node --import`): `fetch` calls the stand-in that FETCH_HOSTS lists for a host. The program
// takes it for the public service, and respects its limits.
const stand = JSON.parse(process.env.FETCH_HOSTS ?? '{}')
const real = globalThis.fetch

globalThis.fetch = (address, init) => {
  const url = new URL(address)
  return real(stand[url.hostname] ? new URL(url.pathname + url.search, stand[url.hostname]) : url, init)
}
