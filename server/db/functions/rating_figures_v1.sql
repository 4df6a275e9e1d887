-- rating_figures_v2 that sees what the calling statement has just written. Only servers of the previous version call it.
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
