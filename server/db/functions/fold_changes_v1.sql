-- Adds up to `batch` rating changes to the totals and removes them from the queue. The queue loses no change: one that
-- commits late is added in a later call. Returns the number of changes; 0 when the queue is empty or another process is
-- running this. It works while move_windows_v2 has moved only part of a day.
CREATE OR REPLACE FUNCTION fold_changes_v1(batch integer) RETURNS integer
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
      -(coalesce(old_heard, false)::integer) AS heard, -(coalesce(old_dealt, false)::integer) AS dealt,
      (old_rated_at AT TIME ZONE 'UTC')::date AS day, NULL::timestamptz AS banger_at
    FROM taken WHERE old_banger IS NOT NULL
    UNION ALL
    SELECT user_id, song_id, microgenre_id, 1, new_banger::integer, coalesce(new_heard, false)::integer,
      coalesce(new_dealt, false)::integer, (new_rated_at AT TIME ZONE 'UTC')::date, CASE WHEN new_banger THEN new_rated_at END
    FROM taken WHERE new_banger IS NOT NULL
  ), folded_songs AS (
    INSERT INTO song_totals AS t (song_id, ratings, bangers, heard_ratings, heard_bangers, dealt_ratings, dealt_bangers,
      recent_bangers, last_banger_at)
    SELECT song_id, sum(ratings), sum(bangers), sum(heard), sum(heard * abs(bangers)), sum(dealt), sum(dealt * abs(bangers)),
      coalesce(sum(bangers) FILTER (WHERE (day, song_id) > (edge, at.songs_gone)), 0), max(banger_at)
    FROM steps GROUP BY song_id ORDER BY song_id
    ON CONFLICT (song_id) DO UPDATE SET
      ratings = t.ratings + excluded.ratings,
      bangers = t.bangers + excluded.bangers,
      heard_ratings = t.heard_ratings + excluded.heard_ratings,
      heard_bangers = t.heard_bangers + excluded.heard_bangers,
      dealt_ratings = t.dealt_ratings + excluded.dealt_ratings,
      dealt_bangers = t.dealt_bangers + excluded.dealt_bangers,
      recent_bangers = t.recent_bangers + excluded.recent_bangers,
      last_banger_at = greatest(t.last_banger_at, excluded.last_banger_at)
  ), folded_days AS (
    INSERT INTO song_days AS d (song_id, day, ratings, bangers)
    SELECT song_id, day, sum(ratings), sum(bangers) FROM steps GROUP BY day, song_id ORDER BY day, song_id
    ON CONFLICT (day, song_id) DO UPDATE SET
      ratings = d.ratings + excluded.ratings,
      bangers = d.bangers + excluded.bangers
  ), folded_microgenres AS (
    INSERT INTO microgenre_totals AS m (microgenre_id, ratings, bangers, dealt_ratings, dealt_bangers)
    SELECT microgenre_id, sum(ratings), sum(bangers), sum(dealt), sum(dealt * abs(bangers)) FROM steps GROUP BY microgenre_id ORDER BY microgenre_id
    ON CONFLICT (microgenre_id) DO UPDATE SET
      ratings = m.ratings + excluded.ratings,
      bangers = m.bangers + excluded.bangers,
      dealt_ratings = m.dealt_ratings + excluded.dealt_ratings,
      dealt_bangers = m.dealt_bangers + excluded.dealt_bangers
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
