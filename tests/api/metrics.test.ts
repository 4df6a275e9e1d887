import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listRatings } from '../../contract/library.ts'
import { getSharedCollection } from '../../contract/sharing.ts'
import { rollUp } from '../../server/community/rollUp.ts'
import { makeMicrogenre, rate } from '../factories.ts'
import { startDatabaseProxy, urlOf } from '../harness/databaseProxy.ts'
import { findSecrets } from '../harness/findSecrets.ts'
import { setUpApp, startApp } from '../harness/setUpApp.ts'
import type { Visitor } from '../harness/visitor.ts'

const TOKEN = 'a token for the scraper'
const app = setUpApp({ METRICS_TOKEN: TOKEN })
const UNKNOWN_CALL = { status: 404, body: { message: 'There is no such call.' } }

test('a local request gets numbers without personal data', async () => {
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 2)
  await rate(ada, genre.id, genre.songs[0] ?? '', 'banger')
  await rate(ada, genre.id, genre.songs[1] ?? '', 'bust')
  await app.visitor().call(getSharedCollection, { params: { shareToken: 'x'.repeat(32) } })
  await app.visitor().raw('/api/somebody@example.test')
  await rollUp(app.db)
  const { status, headers, text } = await waitForMetric(app.visitor(), /route="other",status="404"/)

  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(text).toContain(
    'banger_http_request_duration_seconds_count{method="POST",route="/api/batch/rate-and-advance",status="200"} 2',
  )
  expect(text).toContain('route="/api/share/collection/:shareToken",status="404"} 1')
  expect(text).toContain(
    'banger_http_request_duration_seconds_count{method="any",route="other",status="404"} 1',
  )
  expect(text).toContain('banger_ratings{rating="banger"} 1')
  expect(text).toContain('banger_ratings{rating="bust"} 1')
  expect(text).toContain('banger_rating_changes_waiting 0')
  expect(text).toContain('banger_feedback_waiting 0')
  expect(text).toContain('banger_pictures_waiting 0')
  expect(text).not.toMatch(/^banger_backup_/m)
  expect(text).toContain('banger_database_up 1')
  expect(text).toMatch(/banger_database_connections\{state="active"\} [1-9]/)
  expect(text).toContain('banger_database_pool_size 16')
  expect(text).toMatch(/banger_roll_up_lag_seconds [\d.]+/)
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds [\d.e-]+/)
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
  expect(findSecrets(text)).toEqual([])
})

test.each([
  ['it has X-Forwarded-For', { 'x-forwarded-for': '127.0.0.1' }],
  ['it has Forwarded', { forwarded: 'for=127.0.0.1' }],
  ['its Host is not local', { host: 'bangers.example' }],
  ['the token is wrong', { 'x-real-ip': '127.0.0.1', authorization: `Bearer ${TOKEN}x` }],
  ['the token is empty', { 'x-real-ip': '127.0.0.1', authorization: 'Bearer ' }],
])('a request is 404 when %s', async (_, headers) => {
  expect(await app.visitor().raw('/metrics', { headers })).toMatchObject(UNKNOWN_CALL)
})

test('the token works from anywhere; when none is set, every token is rejected', async () => {
  const headers = {
    'x-forwarded-for': '203.0.113.7',
    host: 'bangers.example',
    authorization: `Bearer ${TOKEN}`,
  }
  const withoutToken = await app.another({ METRICS_TOKEN: '' })

  expect((await app.visitor().raw('/metrics', { headers })).status).toBe(200)
  expect(await withoutToken.visitor().raw('/metrics', { headers })).toMatchObject(UNKNOWN_CALL)
  expect(
    await withoutToken
      .visitor()
      .raw('/metrics', { headers: { ...headers, authorization: 'Bearer undefined' } }),
  ).toMatchObject(UNKNOWN_CALL)
})

test('the last backup has an age and a size, and the last proof an age', async () => {
  await app.db`
    insert into backups (scheduled, machine, started_at, file, bytes, proven_at)
    values (true, 'here', now() - interval '2 days', '/backup/a', 1000, now() - interval '47 hours'),
      (true, 'here', now() - interval '1 day', '/backup/b', 2000, null),
      (true, 'here', now(), '/backup/c', null, null)`
  const { text } = await app.visitor().raw('/metrics')
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

  expect(figure('banger_backup_age_seconds') / 3600).toBeCloseTo(24, 1)
  expect(figure('banger_backup_size_bytes')).toBe(2000)
  expect(figure('banger_backup_proof_age_seconds') / 3600).toBeCloseTo(47, 1)
})

test('the metrics say what the database and outside services refuse, and what is used up', async () => {
  const other = app.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`
    await wait(100)
    await tx`select pg_advisory_xact_lock(2)`
  })
  const deadlock = app.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(2)`
    await wait(100)
    await tx`select pg_advisory_xact_lock(1)`
  })
  await Promise.allSettled([other, deadlock])
  await expect(
    app.db.begin(async (tx) => {
      await tx`set local statement_timeout = 10`
      await tx`select pg_sleep(10)`
    }),
  ).rejects.toThrow()
  const ada = await app.signIn()
  const genre = await makeMicrogenre(app.db, 1)
  await app.db`
    insert into jobs (name, next_run_at, lease_until, failures)
    values ('sweep', now() - interval '1 hour', now() - interval '2 hours', 3)`
  await app.db`
    insert into jobs (name, next_run_at, started_at, lease_until)
    values ('learn', now() - interval '1 day', now() - interval '2 hours', now() + interval '1 minute'),
      ('hangs', now() - interval '1 day', now() - interval '4 hours', now() + interval '1 minute')`
  await app.db`
    insert into service_turns (service, turns, held_until) values ('Busy', array[now()], now() + interval '1 hour')`
  await rate(ada, genre.id, genre.songs[0] ?? '', 'banger')
  const { text } = await app.visitor().raw('/metrics')

  expect(text).toMatch(/^banger_database_errors_total\{code="40P01"\} [1-9]/m)
  expect(text).toMatch(/^banger_database_errors_total\{code="57014"\} [1-9]/m)
  expect(text).toMatch(/^banger_database_pool_connections\{state="idle"\} [1-9]/m)
  expect(text).toContain('banger_database_pool_connections{state="waiting"} 0')
  expect(text).toContain('banger_ratings_waiting 0')
  expect(text).toMatch(/^banger_service_wait_seconds\{service="Busy"\} 3[56]\d\d/m)
  expect(text).toMatch(/^banger_service_breaker_open\{service="Deezer"\} 0/m)
  expect(text).toContain('banger_job_failures{name="sweep"} 3')
  expect(text).toMatch(/^banger_job_late_seconds\{name="sweep"\} 36\d\d/m)
  expect(text).toContain('banger_job_late_seconds{name="learn"} 0')
  expect(text).toMatch(/^banger_job_late_seconds\{name="hangs"\} 36\d\d/m)
  expect(text).toMatch(/^banger_disk_free_bytes [1-9]/m)
  // Begins with 0, or its increase would miss the first.
  expect(text).toMatch(/^banger_limit_refusals_total\{limit="stranger-mails"\} \d/m)
  expect(text).not.toContain('banger_replica_usable')
})

test('the metrics say whether the replica is used', async () => {
  const withReplica = await app.another({ DATABASE_READ_URL: urlOf(app.target) })

  await waitForMetric(withReplica.visitor(), /^banger_replica_usable 1$/m)
})

test('a request that takes longer than a second is logged, by its route', async () => {
  const ada = await app.signIn()
  const list = await app.db.begin(async (tx) => {
    await tx`lock table ratings`
    const answer = ada.call(listRatings)
    await wait(1100)
    return { answer }
  })
  await list.answer
  const slowRatings = () =>
    app.logged.filter((line) => /"route":"\/api\/users\/me\/ratings".*"slow request"/.test(line))

  await expect.poll(() => slowRatings().length).toBeGreaterThan(0)
})

test('without its database the server still reports its own metrics', async () => {
  const line = await startDatabaseProxy(app.target)
  const { app: remote, close } = await startApp(line.target)
  await line.cut()
  const { status, text } = await remote.visitor().raw('/metrics')

  expect(status).toBe(200)
  expect(text).toContain('banger_database_up 0')
  expect(text).not.toMatch(/^banger_ratings\{/m)
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
  await close()
})

/** A request counts when its response has been sent, which may be after the client received it. */
async function waitForMetric(visitor: Visitor, what: RegExp) {
  for (;;) {
    const answer = await visitor.raw('/metrics')
    if (what.test(answer.text)) return answer
    await wait(20)
  }
}
