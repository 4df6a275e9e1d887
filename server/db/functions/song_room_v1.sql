-- How many listeners have rated a song, and how many of them a banger. The listener's own changes that the roll-up has
-- not moved yet are included, so the rating just given counts exactly once; those of others lag (community-5). One
-- query, so both parts are of one snapshot. VOLATILE, so that it sees what the calling statement has just written.
CREATE OR REPLACE FUNCTION song_room_v1(listener bigint, song bigint)
RETURNS TABLE (listeners integer, bangers integer)
LANGUAGE plpgsql VOLATILE ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT coalesce(t.ratings, 0) + own.ratings, coalesce(t.bangers, 0) + own.bangers
    FROM (
      SELECT (count(c.new_banger) - count(c.old_banger))::integer AS ratings,
        (count(*) FILTER (WHERE c.new_banger) - count(*) FILTER (WHERE c.old_banger))::integer AS bangers
      FROM rating_changes c WHERE c.user_id = listener AND c.song_id = song
    ) AS own
    LEFT JOIN song_totals t ON t.song_id = song;
END
$$;
