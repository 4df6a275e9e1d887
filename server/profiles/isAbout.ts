import type { Fragment, Queryable } from '../db/connection.ts'

/** Whether `row`, a report or a row of the trail, is about this listener: the account, its profile or a collection. */
export const isAbout = (db: Queryable, row: Fragment, listener: Fragment) => db`
  exists (select from (
    select unnest(array['person', 'bio', 'photo', 'account', 'limit']) as subject, ${listener}::bigint as subject_id
    union all select 'collection', id from collections where user_id = ${listener}) own
  where own.subject = ${row}.subject and own.subject_id = ${row}.subject_id)`
