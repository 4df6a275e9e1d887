-- The next songs of a listener in a microgenre, and whether each was put off before. The first call begins the pass. A generic plan suits all listeners,
-- because all lookups are by unique keys; planning each call would cost three times as much.
CREATE OR REPLACE FUNCTION next_songs_v2(listener bigint, genre bigint, wanted integer)
RETURNS TABLE (song_id bigint, put_off boolean)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
BEGIN
  SELECT * INTO pass_row FROM listener_genres WHERE user_id = listener AND microgenre_id = genre;
  IF NOT FOUND THEN
    -- A deleted account must not get new rows.
    INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
    SELECT listener, m.id, floor(random() * 2147483647)::integer, m.song_count
    FROM microgenres m
    WHERE m.id = genre AND EXISTS (SELECT FROM listener_stats s WHERE s.user_id = listener FOR KEY SHARE)
    ON CONFLICT DO NOTHING;
    SELECT * INTO pass_row FROM listener_genres WHERE user_id = listener AND microgenre_id = genre;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  RETURN QUERY
    SELECT u.song_id, u.put_off
    FROM unrated_songs_v2(listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position,
                          wanted) WITH ORDINALITY AS u (place, song_id, put_off, rank)
    ORDER BY u.rank;
END
$$;
