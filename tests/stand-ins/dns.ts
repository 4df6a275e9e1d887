import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** `silent`: it never answers. `failing`: SERVFAIL. `garbage`: not DNS. */
type DnsBehaviour = 'ok' | 'silent' | 'failing' | 'garbage'

export interface Dns {
  /** For DNS_SERVERS. */
  server: string
  /** Publishes a record. Parts of a TXT record are separated by `|`. */
  know(name: string, type: keyof typeof TYPES, value: string): void
  behave(behaviour: DnsBehaviour): void
  reset(): void
  close(): Promise<void>
}

const TYPES = { A: 1, MX: 15, TXT: 16, AAAA: 28 } as const

/** A DNS server over UDP: https://datatracker.ietf.org/doc/html/rfc1035 */
export async function startDns(): Promise<Dns> {
  let records: { name: string; type: number; data: Buffer }[] = []
  let behaviour: DnsBehaviour = 'ok'
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    if (behaviour === 'silent') return
    const answer = behaviour === 'garbage' ? Buffer.from('not DNS') : answerTo(query, records, behaviour)
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  return {
    server: `127.0.0.1:${port}`,
    know: (name, type, value) => void records.push({ name, type: TYPES[type], data: dataOf(type, value) }),
    behave(next) {
      behaviour = next
    },
    reset() {
      records = []
      behaviour = 'ok'
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

const HEADER_BYTES = 12
const [SERVFAIL, NXDOMAIN] = [2, 3]

function answerTo(
  query: Buffer,
  records: { name: string; type: number; data: Buffer }[],
  behaviour: DnsBehaviour,
): Buffer {
  const { name, end } = readName(query)
  const type = query.readUInt16BE(end)
  const matching = records.filter((record) => record.name === name.toLowerCase())
  const answerRecords = behaviour === 'failing' ? [] : matching.filter((record) => record.type === type)
  const code = behaviour === 'failing' ? SERVFAIL : matching.length > 0 ? 0 : NXDOMAIN
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  // An answer with recursion.
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answerRecords.length, 6)
  const answers = answerRecords.map(({ data }) => {
    const record = Buffer.alloc(12)
    // The name refers to that of the question.
    record.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...answers])
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

function dataOf(type: keyof typeof TYPES, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'TXT') return Buffer.concat(value.split('|').map(withLength))
  if (type === 'MX') return Buffer.concat([Buffer.from([0, 10]), nameOf(value)])
  throw new Error('Such records are not needed yet.')
}

const withLength = (text: string) =>
  Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])

/** The root is the empty name. */
const nameOf = (name: string) =>
  Buffer.concat([...name.split('.').filter(Boolean).map(withLength), Buffer.from([0])])
