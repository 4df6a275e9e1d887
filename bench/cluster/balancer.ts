import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './network.ts'

/** The load balancer's ports on this machine. */
export const PORTS = { primary: 15432, replicas: 15433, pooler: 16432, http: 18080 }

/**
 * HAProxy in front of the database, whose roles it gets from Patroni, and in front of the server processes. A
 * database that is no longer the primary loses its connections at once.
 */
export function startBalancer(folder: string, databases: Machine[], servers: number[]): ChildProcess {
  const config = `
global
  maxconn 2000
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 60m
  timeout server 60m
  timeout check 2s
listen primary
  bind 127.0.0.1:${PORTS.primary}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map(({ address }, n) => `  server node${n + 1} ${address}:5432 check port 8008`).join('\n')}
listen replicas
  bind 127.0.0.1:${PORTS.replicas}
  option httpchk GET /replica?lag=16MB
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map(({ address }, n) => `  server node${n + 1} ${address}:5432 check port 8008`).join('\n')}
listen web
  bind 127.0.0.1:${PORTS.http}
  mode http
  option forwardfor
  option redispatch
  option httpchk GET /health
  default-server inter 1s fall 2 rise 1
${servers.map((port, n) => `  server web${n + 1} 127.0.0.1:${port} check`).join('\n')}
`
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, config)
  return spawn('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * pgbouncer in front of the balancer's primary, in transaction mode. It does not pass session settings on
 * (statement_timeout, enable_seqscan, jit), so the role has them.
 */
export function startPooler(folder: string, user: string, password: string): ChildProcess {
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'userlist.txt'), `"${user}" "${password}"\n`)
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${PORTS.primary}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${PORTS.pooler}
unix_socket_dir =
auth_type = md5
auth_file = ${join(folder, 'userlist.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 5
ignore_startup_parameters = statement_timeout, enable_seqscan, jit
`,
  )
  const asUser = ['--reuid=postgres', '--regid=postgres', '--clear-groups', 'pgbouncer', '-q', file]
  return spawn('setpriv', asUser, { stdio: ['ignore', 'ignore', 'ignore'] })
}
