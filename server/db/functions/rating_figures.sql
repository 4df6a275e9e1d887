-- What a page shows after a rating: how many listeners have rated the song, and how many of them a banger; the listener's
-- totals, and those of the day in this time zone (0 without one); and whether an achievement waits to be announced.
-- The listener's own changes that the roll-up has not moved yet are included, so the rating just given counts exactly
-- once; those of others lag (community-5). STABLE, so all parts are of one snapshot, that of the calling statement. A
-- lookup of one table for most parts, which a cluster plans once.
CREATE FUNCTION functions.rating_figures(listener bigint, song bigint, zone text)
RETURNS TABLE (listeners integer, bangers integer, total_bangers integer, total_ratings integer,
  daily_bangers integer, daily_ratings integer, unlocked boolean)
LANGUAGE plpgsql STABLE ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  all_ratings integer;
  all_bangers integer;
BEGIN
  SELECT (count(c.new_banger) - count(c.old_banger))::integer,
    (count(*) FILTER (WHERE c.new_banger) - count(*) FILTER (WHERE c.old_banger))::integer
  INTO listeners, bangers
  FROM rating_changes c WHERE c.user_id = listener AND c.song_id = song;
  SELECT t.ratings, t.bangers INTO all_ratings, all_bangers FROM song_totals t WHERE t.song_id = song;
  listeners := listeners + coalesce(all_ratings, 0);
  bangers := bangers + coalesce(all_bangers, 0);
  SELECT s.total_bangers, s.total_ratings INTO total_bangers, total_ratings FROM listener_stats s WHERE s.user_id = listener;
  total_bangers := coalesce(total_bangers, 0);
  total_ratings := coalesce(total_ratings, 0);
  daily_bangers := 0;
  daily_ratings := 0;
  IF zone IS NOT NULL THEN
    SELECT (count(*) FILTER (WHERE d.banger))::integer, count(*)::integer INTO daily_bangers, daily_ratings
    FROM (
      SELECT r.banger FROM ratings r
      WHERE r.user_id = listener AND r.rated_at > '-infinity' AND r.rated_at >= date_trunc('day', now(), zone)
      -- Only for this order, the index by time is the cheaper one to a planner that takes the table for empty.
      ORDER BY r.rated_at
    ) AS d;
  END IF;
  PERFORM FROM achievements a WHERE a.user_id = listener AND a.announced_at IS NULL LIMIT 1;
  unlocked := FOUND;
  RETURN NEXT;
END
$$;
