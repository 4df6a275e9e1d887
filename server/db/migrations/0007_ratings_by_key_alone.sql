-- A rating is looked for by listener and song. While the table is small, an index by listener and time seems as good
-- a way to PostgreSQL as the key, and a connection keeps its plan: each rating then read all that its listener had
-- made before. An index that holds only rows with a time (which is all of them) serves nobody who does not ask for it.
CREATE INDEX "ratings_in_order" ON "ratings" USING btree ("user_id","rated_at") WHERE "ratings"."rated_at" > '-infinity';--> statement-breakpoint
DROP INDEX "ratings_user_id_rated_at";--> statement-breakpoint
-- Song and rating in two statements: joined, the plan for few rows compares the song with all of the listener's.
CREATE OR REPLACE FUNCTION unrated_songs_v1(listener bigint, genre bigint, current_pass integer, seed integer,
  pass_size integer, from_place integer, wanted integer)
RETURNS TABLE (place integer, song_id bigint)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
  size integer;
  here integer;
  song bigint;
  found integer := 0;
BEGIN
  SELECT m.song_count INTO size FROM microgenres m WHERE m.id = genre;
  place := from_place;
  WHILE found < wanted AND place < size LOOP
    here := song_at_place(seed, pass_size, place);
    SELECT s.id INTO song FROM songs s
    WHERE s.microgenre_id = genre AND s.seq = here AND s.retired_at IS NULL;
    IF song IS NOT NULL AND NOT EXISTS (
      SELECT FROM ratings r WHERE r.user_id = listener AND r.song_id = song AND r.pass = current_pass
    ) THEN
      found := found + 1;
      song_id := song;
      RETURN NEXT;
    END IF;
    place := place + 1;
  END LOOP;
END
$$;
--> statement-breakpoint
-- As before, but for the index of the newest rating.
CREATE OR REPLACE FUNCTION roll_up_v1(batch integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  today date;
  folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7041001) THEN
    RETURN 0;
  END IF;
  PERFORM move_windows_v1((now() AT TIME ZONE 'UTC')::date);
  SELECT c.day INTO today FROM community_totals c;

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
      coalesce(sum(bangers) FILTER (WHERE day >= today - 29), 0), max(banger_at)
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
        SELECT coalesce(sum((coalesce(n.new_day >= today - 29, false))::integer
                          - (coalesce(n.old_day >= today - 29, false))::integer), 0)
        FROM last_days n)
    WHERE EXISTS (SELECT FROM taken)
  )
  SELECT count(*) INTO folded FROM taken;
  RETURN folded;
END
$$;
