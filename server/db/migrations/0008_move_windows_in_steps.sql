-- The 30-day windows move in short steps of their own. One statement for a whole day was cancelled by the time limit of
-- statements where a day had hundreds of thousands of songs, and at each further try. A window begins behind a place in
-- the order of (day, id), so it is exact at every step: changes are folded by the same place. Nothing may fold or move
-- while this is changed.
SELECT pg_advisory_xact_lock(7041001);--> statement-breakpoint
CREATE INDEX "listener_last_days_day_user_id" ON "listener_last_days" USING btree ("day","user_id");--> statement-breakpoint
ALTER TABLE "community_totals" ADD COLUMN "songs_gone" bigint DEFAULT '9223372036854775807' NOT NULL;--> statement-breakpoint
ALTER TABLE "community_totals" ADD COLUMN "listeners_gone" bigint DEFAULT '9223372036854775807' NOT NULL;--> statement-breakpoint
-- Moves the windows one step of at most `most` songs and listeners towards `today` (D-64): forward with the days, and
-- back when a clock that ran ahead is put right. Gives whether there is more to move; false also while another process
-- is at it. Songs are looked up one by one: a plan that joins would read all songs at each step.
CREATE FUNCTION move_windows_v2(most integer, today date DEFAULT (now() AT TIME ZONE 'UTC')::date) RETURNS boolean
LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  every_id CONSTANT bigint := 9223372036854775807;
  at community_totals%ROWTYPE;
  edge date;
  forward boolean;
  songs bigint;
  listeners bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7041001) THEN
    RETURN false;
  END IF;
  SELECT * INTO at FROM community_totals;
  IF at.day = today AND at.songs_gone = every_id AND at.listeners_gone = every_id THEN
    RETURN false;
  END IF;

  -- A day that is gone whole is followed by the next one; one that is back whole, by the one before.
  IF at.day < today AND at.songs_gone = every_id AND at.listeners_gone = every_id THEN
    at.day := at.day + 1;
    at.songs_gone := 0;
    at.listeners_gone := 0;
  ELSIF at.day > today AND at.songs_gone = 0 AND at.listeners_gone = 0 THEN
    at.day := at.day - 1;
    at.songs_gone := every_id;
    at.listeners_gone := every_id;
  END IF;

  edge := at.day - 30;
  forward := at.day <= today;
  IF forward THEN
    songs := coalesce((SELECT d.song_id FROM song_days d WHERE d.day = edge AND d.song_id > at.songs_gone
                       ORDER BY d.song_id OFFSET most - 1 LIMIT 1), every_id);
    listeners := coalesce((SELECT l.user_id FROM listener_last_days l WHERE l.day = edge AND l.user_id > at.listeners_gone
                           ORDER BY l.user_id OFFSET most - 1 LIMIT 1), every_id);
  ELSE
    songs := coalesce((SELECT d.song_id FROM song_days d WHERE d.day = edge AND d.song_id <= at.songs_gone
                       ORDER BY d.song_id DESC OFFSET most LIMIT 1), 0);
    listeners := coalesce((SELECT l.user_id FROM listener_last_days l WHERE l.day = edge AND l.user_id <= at.listeners_gone
                           ORDER BY l.user_id DESC OFFSET most LIMIT 1), 0);
  END IF;

  UPDATE song_totals t SET recent_bangers = t.recent_bangers + CASE WHEN forward THEN -d.bangers ELSE d.bangers END
  FROM song_days d
  WHERE d.day = edge AND d.song_id > least(songs, at.songs_gone) AND d.song_id <= greatest(songs, at.songs_gone)
    AND d.bangers <> 0 AND t.song_id = d.song_id;
  UPDATE community_totals SET
    day = at.day,
    songs_gone = songs,
    listeners_gone = listeners,
    active_users = active_users + CASE WHEN forward THEN -1 ELSE 1 END * (
      SELECT count(*) FROM listener_last_days l
      WHERE l.day = edge AND l.user_id > least(listeners, at.listeners_gone)
        AND l.user_id <= greatest(listeners, at.listeners_gone))::integer;
  RETURN at.day <> today OR songs <> every_id OR listeners <> every_id;
END
$$;
--> statement-breakpoint
-- Folds up to `batch` changes. Gives how many; 0 when the queue is empty or another process is at it. Of the windows it
-- knows where they begin, also in the middle of a move.
CREATE FUNCTION fold_changes_v1(batch integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  at community_totals%ROWTYPE;
  edge date;
  folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7041001) THEN
    RETURN 0;
  END IF;
  SELECT * INTO at FROM community_totals;
  edge := at.day - 30;

  WITH taken AS (
    DELETE FROM rating_changes c
    USING (SELECT q.user_id, q.id FROM rating_changes q ORDER BY q.id LIMIT batch) AS q
    WHERE c.user_id = q.user_id AND c.id = q.id
    RETURNING c.*
  ), steps AS (
    SELECT user_id, song_id, microgenre_id, -1 AS ratings, -(old_banger::integer) AS bangers,
      (old_rated_at AT TIME ZONE 'UTC')::date AS day, NULL::timestamptz AS banger_at
    FROM taken WHERE old_banger IS NOT NULL
    UNION ALL
    SELECT user_id, song_id, microgenre_id, 1, new_banger::integer,
      (new_rated_at AT TIME ZONE 'UTC')::date, CASE WHEN new_banger THEN new_rated_at END
    FROM taken WHERE new_banger IS NOT NULL
  ), folded_songs AS (
    INSERT INTO song_totals AS t (song_id, ratings, bangers, recent_bangers, last_banger_at)
    SELECT song_id, sum(ratings), sum(bangers),
      coalesce(sum(bangers) FILTER (WHERE (day, song_id) > (edge, at.songs_gone)), 0), max(banger_at)
    FROM steps GROUP BY song_id ORDER BY song_id
    ON CONFLICT (song_id) DO UPDATE SET
      ratings = t.ratings + excluded.ratings,
      bangers = t.bangers + excluded.bangers,
      recent_bangers = t.recent_bangers + excluded.recent_bangers,
      last_banger_at = greatest(t.last_banger_at, excluded.last_banger_at)
  ), folded_days AS (
    INSERT INTO song_days AS d (song_id, day, ratings, bangers)
    SELECT song_id, day, sum(ratings), sum(bangers) FROM steps GROUP BY day, song_id ORDER BY day, song_id
    ON CONFLICT (day, song_id) DO UPDATE SET
      ratings = d.ratings + excluded.ratings,
      bangers = d.bangers + excluded.bangers
  ), folded_microgenres AS (
    INSERT INTO microgenre_totals AS m (microgenre_id, ratings, bangers)
    SELECT microgenre_id, sum(ratings), sum(bangers) FROM steps GROUP BY microgenre_id ORDER BY microgenre_id
    ON CONFLICT (microgenre_id) DO UPDATE SET
      ratings = m.ratings + excluded.ratings,
      bangers = m.bangers + excluded.bangers
  ), last_days AS (
    SELECT touched.user_id, old.day AS old_day,
      (SELECT (max(r.rated_at) AT TIME ZONE 'UTC')::date FROM ratings r
       WHERE r.user_id = touched.user_id AND r.rated_at > '-infinity') AS new_day
    FROM (SELECT DISTINCT user_id FROM taken) AS touched
    LEFT JOIN listener_last_days old USING (user_id)
  ), kept_days AS (
    INSERT INTO listener_last_days (user_id, day)
    SELECT user_id, new_day FROM last_days WHERE new_day IS NOT NULL ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET day = excluded.day
  ), dropped_days AS (
    DELETE FROM listener_last_days l USING last_days n WHERE l.user_id = n.user_id AND n.new_day IS NULL
  ), folded_community AS (
    UPDATE community_totals c SET
      ratings = c.ratings + (SELECT coalesce(sum(s.ratings), 0) FROM steps s),
      bangers = c.bangers + (SELECT coalesce(sum(s.bangers), 0) FROM steps s),
      active_users = c.active_users + (
        SELECT coalesce(sum(coalesce((n.new_day, n.user_id) > (edge, at.listeners_gone), false)::integer
                          - coalesce((n.old_day, n.user_id) > (edge, at.listeners_gone), false)::integer), 0)
        FROM last_days n)
    WHERE EXISTS (SELECT FROM taken)
  )
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END
$$;
--> statement-breakpoint
-- What servers of before call each second: they move a step and fold.
CREATE OR REPLACE FUNCTION roll_up_v1(batch integer) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_windows_v2(2000);
  RETURN fold_changes_v1(batch);
END
$$;
--> statement-breakpoint
-- Only roll_up_v1 called it. One that is under way meanwhile fails and is called again.
DROP FUNCTION move_windows_v1(date);
