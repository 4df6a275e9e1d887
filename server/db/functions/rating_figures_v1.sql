-- What a page shows after a rating: how many listeners have rated the song, and how many of them a banger; the listener's
-- totals, and those of the day in this time zone (0 without one); and whether an achievement waits to be announced.
-- The listener's own changes that the roll-up has not moved yet are included, so the rating just given counts exactly
-- once; those of others lag (community-5). One query, so all parts are of one snapshot, and because a function for each
-- would cost a rating a tenth. VOLATILE, so that it sees what the calling statement has just written.
CREATE OR REPLACE FUNCTION rating_figures_v1(listener bigint, song bigint, zone text)
RETURNS TABLE (listeners integer, bangers integer, total_bangers integer, total_ratings integer,
  daily_bangers integer, daily_ratings integer, unlocked boolean)
LANGUAGE plpgsql VOLATILE ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT coalesce(t.ratings, 0) + own.ratings, coalesce(t.bangers, 0) + own.bangers,
      coalesce(s.total_bangers, 0), coalesce(s.total_ratings, 0), day.bangers, day.ratings,
      EXISTS (SELECT FROM achievements a WHERE a.user_id = listener AND a.announced_at IS NULL)
    FROM (
      SELECT (count(c.new_banger) - count(c.old_banger))::integer AS ratings,
        (count(*) FILTER (WHERE c.new_banger) - count(*) FILTER (WHERE c.old_banger))::integer AS bangers
      FROM rating_changes c WHERE c.user_id = listener AND c.song_id = song
    ) AS own
    CROSS JOIN (
      SELECT (count(*) FILTER (WHERE r.banger))::integer AS bangers, count(*)::integer AS ratings
      FROM (
        SELECT r.banger FROM ratings r
        WHERE r.user_id = listener AND r.rated_at > '-infinity' AND r.rated_at >= date_trunc('day', now(), zone)
        -- Only for this order, the index by time is the cheaper one to a planner that takes the table for empty.
        ORDER BY r.rated_at
      ) AS r
    ) AS day
    LEFT JOIN listener_stats s ON s.user_id = listener
    LEFT JOIN song_totals t ON t.song_id = song;
END
$$;
