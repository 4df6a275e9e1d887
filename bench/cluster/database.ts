import type { ChildProcess } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findPostgresProgram } from '../measure/programs.ts'
import type { Machine, Network } from './network.ts'

/* Three machines with etcd and PostgreSQL under Patroni: a primary, and two replicas that confirm every commit. */

export interface Member {
  name: string
  machine: Machine
  /** Starts what is not running on it. */
  start(): void
}

export interface Cluster {
  members: Member[]
  /** @throws after a minute without a primary and the requested number of streaming replicas. */
  settle(replicas: number): Promise<Member>
}

export const PASSWORD = 'bench'
const SECONDS = { ttl: 20, loop: 2, retry: 5 }

export function startCluster({ machines }: Network, folder: string): Cluster {
  const bin = findPostgresProgram('postgres')?.replace(/\/postgres$/, '') ?? ''
  const peers = machines.map(({ address }, n) => `etcd${n + 1}=http://${address}:2380`).join(',')
  const clients = machines.map(({ address }) => `${address}:2379`)
  const members = machines.map((machine, n) => {
    const name = `node${n + 1}`
    const home = join(folder, name)
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'patroni.json'), JSON.stringify(patroni(name, machine, home, bin, clients)))
    execFileSync('chown', ['-R', 'postgres:postgres', home])
    const running = new Map<string, ChildProcess>()
    const ensure = (what: string, command: string, args: string[]) => {
      const before = running.get(what)
      if (before && before.exitCode === null && before.signalCode === null) return
      running.set(what, machine.run(command, args, join(home, `${what}.log`)))
    }
    const member: Member = {
      name,
      machine,
      start() {
        ensure('etcd', 'etcd', [
          ...['--name', `etcd${n + 1}`, '--data-dir', join(home, 'etcd')],
          ...['--initial-cluster', peers, '--initial-cluster-state', 'new'],
          ...['--initial-advertise-peer-urls', `http://${machine.address}:2380`],
          ...['--listen-peer-urls', `http://${machine.address}:2380`],
          ...['--listen-client-urls', `http://${machine.address}:2379,http://127.0.0.1:2379`],
          ...['--advertise-client-urls', `http://${machine.address}:2379`],
        ])
        ensure('patroni', 'patroni', [join(home, 'patroni.json')])
      },
    }
    return member
  })
  for (const member of members) member.start()
  return { members, settle: (replicas) => settle(members, replicas) }
}

/** JSON is valid YAML. Commits wait for a replica: otherwise a lost primary would take its last ones with it. */
function patroni(name: string, { address }: Machine, home: string, bin: string, etcd: string[]) {
  return {
    scope: 'banger',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: {
        ttl: SECONDS.ttl,
        loop_wait: SECONDS.loop,
        retry_timeout: SECONDS.retry,
        maximum_lag_on_failover: 1048576,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: ['host replication all 10.77.0.0/24 md5', 'host all all 10.77.0.0/24 md5'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(home, 'data'),
      bin_dir: bin,
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
        rewind: { username: 'rewinder', password: PASSWORD },
      },
      parameters: { unix_socket_directories: home },
    },
  }
}

async function settle(members: Member[], replicas: number): Promise<Member> {
  for (const until = Date.now() + 90_000; Date.now() < until; await wait(250)) {
    const roles = await Promise.all(members.map(roleOf))
    const primary = members[roles.indexOf('primary')]
    if (primary && roles.filter((role) => role === 'replica').length >= replicas) return primary
  }
  throw new Error('The cluster did not become healthy in time.')
}

/** Patroni's view of its PostgreSQL. A replica counts when it streams. */
async function roleOf({ machine }: Member): Promise<'primary' | 'replica' | null> {
  const ask = (path: string) =>
    fetch(`http://${machine.address}:8008${path}`, { signal: AbortSignal.timeout(1000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  if (await ask('/primary')) return 'primary'
  return (await ask('/synchronous')) || (await ask('/replica?lag=1MB')) ? 'replica' : null
}
