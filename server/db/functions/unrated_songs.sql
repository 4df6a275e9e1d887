-- Up to `wanted` songs that are still to come in the listener's pass, in its order from its position on, then those that
-- were put off, without a place. A loop with lookups by unique keys for each place: for a join over several places
-- PostgreSQL would read the whole microgenre or all ratings of the listener. ROWS 1, because it would otherwise expect a
-- thousand rows.
CREATE FUNCTION functions.unrated_songs(listener bigint, genre bigint, seed integer, pass_size integer,
  from_place integer, wanted integer)
RETURNS TABLE (place integer, song_id bigint, put_off boolean)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
  size integer;
  here integer;
  song bigint;
  found integer := 0;
  next_place integer := from_place;
  this_pass integer;
BEGIN
  SELECT g.pass INTO this_pass FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  SELECT m.song_count INTO size FROM microgenres m WHERE m.id = genre;
  WHILE found < wanted AND next_place < size LOOP
    here := functions.song_at_place(seed, pass_size, next_place);
    SELECT s.id INTO song FROM songs s
    WHERE s.microgenre_id = genre AND s.seq = here AND s.retired_at IS NULL;
    IF song IS NOT NULL AND NOT functions.is_of_pass(listener, genre, this_pass, song) THEN
      found := found + 1;
      place := next_place;
      song_id := song;
      put_off := false;
      RETURN NEXT;
    END IF;
    next_place := next_place + 1;
  END LOOP;
  IF found < wanted THEN
    RETURN QUERY
      SELECT NULL::integer, n.song_id, true
      FROM not_now n
      JOIN songs s ON s.id = n.song_id AND s.retired_at IS NULL
      LEFT JOIN ratings r ON r.user_id = listener AND r.song_id = n.song_id AND r.pass = this_pass
      WHERE n.user_id = listener AND n.microgenre_id = genre AND n.pass = this_pass AND n.let_go_at IS NULL
        AND r.song_id IS NULL
      ORDER BY n.put_off_at, n.song_id
      LIMIT wanted - found;
  END IF;
END
$$;
