-- Adds up to `batch` rating changes to the totals and removes them from the queue. The queue loses no change: one that
-- commits late is added in a later call. Returns the number of changes; 0 when the queue is empty or another process is
-- running this. It works while move_windows has moved only part of a day. Call it in a transaction of its own with the
-- isolation level repeatable read, where all statements see the same changes. It fails with 40001 when another process
-- has finished this a moment ago. Changes are summed up where they are, and only the sums and the listeners whose last
-- day changed come here.
CREATE FUNCTION functions.fold_changes(batch integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  at community_totals%ROWTYPE;
  edge date;
  last_id bigint;
  song_ids bigint[];
  genres bigint[];
  days date[];
  all_ratings bigint[];
  all_bangers bigint[];
  heard bigint[];
  heard_bangers bigint[];
  dealt bigint[];
  dealt_bangers bigint[];
  bangers_at timestamptz[];
  listeners bigint[];
  old_days date[];
  new_days date[];
  folded integer;
BEGIN
  IF current_setting('transaction_isolation') <> 'repeatable read' THEN
    RAISE EXCEPTION 'fold_changes needs the isolation level repeatable read.';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7041001) THEN
    RETURN 0;
  END IF;
  -- A process that freezes before it commits loses the lock.
  PERFORM set_config('idle_in_transaction_session_timeout', '5s', true);
  -- On Citus: one connection to each worker, because each connection has a snapshot of its own.
  PERFORM set_config('citus.max_adaptive_executor_pool_size', '1', true);
  SELECT * INTO at FROM community_totals;
  edge := at.day - 30;
  SELECT q.id INTO last_id FROM rating_changes q ORDER BY q.id OFFSET batch - 1 LIMIT 1;
  last_id := coalesce(last_id, 9223372036854775807);

  SELECT array_agg(f.song_id), array_agg(f.microgenre_id), array_agg(f.day), array_agg(f.ratings), array_agg(f.bangers),
    array_agg(f.heard), array_agg(f.heard_bangers), array_agg(f.dealt), array_agg(f.dealt_bangers), array_agg(f.banger_at)
  INTO song_ids, genres, days, all_ratings, all_bangers, heard, heard_bangers, dealt, dealt_bangers, bangers_at
  FROM (
    SELECT s.song_id, s.microgenre_id, s.day, sum(s.ratings) AS ratings, sum(s.bangers) AS bangers, sum(s.heard) AS heard,
      sum(s.heard * abs(s.bangers)) AS heard_bangers, sum(s.dealt) AS dealt, sum(s.dealt * abs(s.bangers)) AS dealt_bangers,
      max(s.banger_at) AS banger_at
    FROM (
      SELECT c.user_id, c.song_id, c.microgenre_id, -1 AS ratings, -(c.old_banger::integer) AS bangers,
        -(coalesce(c.old_heard, false)::integer) AS heard, -(coalesce(c.old_dealt, false)::integer) AS dealt,
        (c.old_rated_at AT TIME ZONE 'UTC')::date AS day, NULL::timestamptz AS banger_at
      FROM rating_changes c WHERE c.id <= last_id AND c.old_banger IS NOT NULL
      UNION ALL
      SELECT c.user_id, c.song_id, c.microgenre_id, 1, c.new_banger::integer, coalesce(c.new_heard, false)::integer,
        coalesce(c.new_dealt, false)::integer, (c.new_rated_at AT TIME ZONE 'UTC')::date,
        CASE WHEN c.new_banger THEN c.new_rated_at END
      FROM rating_changes c WHERE c.id <= last_id AND c.new_banger IS NOT NULL
    ) s
    GROUP BY s.song_id, s.microgenre_id, s.day
  ) f;

  -- Listeners whose last day is another one now, or who have no rating any more.
  SELECT array_agg(n.user_id ORDER BY n.user_id), array_agg(n.old_day ORDER BY n.user_id),
    array_agg(n.new_day ORDER BY n.user_id)
  INTO listeners, old_days, new_days
  FROM (
    SELECT touched.user_id, old.day AS old_day,
      (SELECT (max(r.rated_at) AT TIME ZONE 'UTC')::date FROM ratings r
       WHERE r.user_id = touched.user_id AND r.rated_at > '-infinity' AND r.pass > 0) AS new_day
    FROM (SELECT DISTINCT c.user_id FROM rating_changes c WHERE c.id <= last_id) AS touched
    LEFT JOIN listener_last_days old ON old.user_id = touched.user_id
  ) n
  WHERE n.new_day IS DISTINCT FROM n.old_day;

  DELETE FROM rating_changes c WHERE c.id <= last_id;
  GET DIAGNOSTICS folded = ROW_COUNT;
  IF folded = 0 THEN
    RETURN 0;
  END IF;

  INSERT INTO song_totals AS t (song_id, ratings, bangers, heard_ratings, heard_bangers, dealt_ratings, dealt_bangers,
    recent_bangers, last_banger_at)
  SELECT s.song_id, sum(s.ratings), sum(s.bangers), sum(s.heard), sum(s.heard_bangers), sum(s.dealt), sum(s.dealt_bangers),
    coalesce(sum(s.bangers) FILTER (WHERE (s.day, s.song_id) > (edge, at.songs_gone)), 0), max(s.banger_at)
  FROM unnest(song_ids, days, all_ratings, all_bangers, heard, heard_bangers, dealt, dealt_bangers, bangers_at)
    AS s (song_id, day, ratings, bangers, heard, heard_bangers, dealt, dealt_bangers, banger_at)
  GROUP BY s.song_id ORDER BY s.song_id
  ON CONFLICT (song_id) DO UPDATE SET
    ratings = t.ratings + excluded.ratings,
    bangers = t.bangers + excluded.bangers,
    heard_ratings = t.heard_ratings + excluded.heard_ratings,
    heard_bangers = t.heard_bangers + excluded.heard_bangers,
    dealt_ratings = t.dealt_ratings + excluded.dealt_ratings,
    dealt_bangers = t.dealt_bangers + excluded.dealt_bangers,
    recent_bangers = t.recent_bangers + excluded.recent_bangers,
    last_banger_at = greatest(t.last_banger_at, excluded.last_banger_at);

  INSERT INTO song_days AS d (song_id, day, ratings, bangers)
  SELECT s.song_id, s.day, s.ratings, s.bangers
  FROM unnest(song_ids, days, all_ratings, all_bangers) AS s (song_id, day, ratings, bangers)
  -- Imported ratings are of no day.
  WHERE s.day > '-infinity'
  ORDER BY s.day, s.song_id
  ON CONFLICT (day, song_id) DO UPDATE SET
    ratings = d.ratings + excluded.ratings,
    bangers = d.bangers + excluded.bangers;

  INSERT INTO microgenre_totals AS m (microgenre_id, ratings, bangers, dealt_ratings, dealt_bangers)
  SELECT s.microgenre_id, sum(s.ratings), sum(s.bangers), sum(s.dealt), sum(s.dealt_bangers)
  FROM unnest(genres, all_ratings, all_bangers, dealt, dealt_bangers)
    AS s (microgenre_id, ratings, bangers, dealt, dealt_bangers)
  GROUP BY s.microgenre_id ORDER BY s.microgenre_id
  ON CONFLICT (microgenre_id) DO UPDATE SET
    ratings = m.ratings + excluded.ratings,
    bangers = m.bangers + excluded.bangers,
    dealt_ratings = m.dealt_ratings + excluded.dealt_ratings,
    dealt_bangers = m.dealt_bangers + excluded.dealt_bangers;

  INSERT INTO listener_last_days AS l (user_id, day)
  SELECT n.user_id, n.day FROM unnest(listeners, new_days) AS n (user_id, day)
  WHERE n.day IS NOT NULL ORDER BY n.user_id
  ON CONFLICT (user_id) DO UPDATE SET day = excluded.day;
  IF array_position(new_days, NULL) IS NOT NULL THEN
    DELETE FROM listener_last_days l
    WHERE l.user_id = ANY (ARRAY(
      SELECT n.user_id FROM unnest(listeners, new_days) AS n (user_id, day) WHERE n.day IS NULL));
  END IF;

  UPDATE community_totals c SET
    ratings = c.ratings + (SELECT coalesce(sum(s.ratings), 0) FROM unnest(all_ratings) AS s (ratings)),
    bangers = c.bangers + (SELECT coalesce(sum(s.bangers), 0) FROM unnest(all_bangers) AS s (bangers)),
    active_users = c.active_users + (
      SELECT coalesce(sum(coalesce((n.new_day, n.user_id) > (edge, at.listeners_gone), false)::integer
                        - coalesce((n.old_day, n.user_id) > (edge, at.listeners_gone), false)::integer), 0)
      FROM unnest(listeners, old_days, new_days) AS n (user_id, old_day, new_day));
  RETURN folded;
END
$$;
