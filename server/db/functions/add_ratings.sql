-- Adds ratings that a listener gave as a visitor (visitors-23), the earliest first, each like one of rate_song with its
-- time, from 30 days ago to now, the last one of each song. Songs that the listener has rated, retired and unknown ones
-- are left out. Returns how many were added.
CREATE FUNCTION functions.add_ratings(listener bigint, songs bigint[], verdicts boolean[], times timestamptz[])
RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  given record;
  added integer := 0;
BEGIN
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  FOR given IN
    SELECT s.id AS song, s.microgenre_id AS genre, g.verdict, g.at
    FROM (
      SELECT DISTINCT ON (u.song) u.* FROM unnest(songs, verdicts, times) AS u (song, verdict, at)
      ORDER BY u.song, u.at DESC) g
    CROSS JOIN LATERAL (SELECT o.* FROM songs o WHERE o.id = g.song AND o.retired_at IS NULL LIMIT 1) s
    WHERE (SELECT r.pass FROM ratings r WHERE r.user_id = listener AND r.song_id = g.song) IS NULL
    ORDER BY g.at
  LOOP
    PERFORM FROM functions.rate_song(listener, given.genre, given.song, given.verdict, NULL, NULL, NULL,
      greatest(now() - interval '30 days', least(given.at, clock_timestamp())));
    added := added + 1;
  END LOOP;
  RETURN added;
END
$$;
