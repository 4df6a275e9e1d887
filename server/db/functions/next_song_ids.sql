-- The next songs of a listener in a microgenre, whether each was put off before, and why it is dealt (discover-52; null if
-- it was not dealt). The first call begins the pass. Songs are dealt here when too few are ahead, because a page asks for
-- songs ahead while one plays; a rating deals only when none is left. A generic plan suits all listeners, because all
-- lookups are by unique keys; planning each call would cost three times as much.
CREATE FUNCTION functions.next_song_ids(listener bigint, genre bigint, wanted integer)
RETURNS TABLE (song_id bigint, put_off boolean, reason smallint)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
  genre_size integer;
  coming bigint[] := '{}';
BEGIN
  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  IF FOUND THEN
    coming := functions.coming_cards(listener, genre, pass_row.ahead, wanted);
  END IF;
  IF cardinality(coming) < wanted THEN
    PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
    -- A deleted account must not get new rows.
    IF NOT FOUND THEN
      RETURN;
    END IF;
    SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
    IF NOT FOUND THEN
      SELECT m.song_count INTO genre_size FROM microgenres m WHERE m.id = genre;
      IF NOT FOUND THEN
        RETURN;
      END IF;
      INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
      VALUES (listener, genre, floor(random() * 2147483647)::integer, genre_size)
      ON CONFLICT (user_id, microgenre_id) DO UPDATE SET pass = listener_genres.pass
      RETURNING * INTO pass_row;
    END IF;
    pass_row := functions.deal_songs(pass_row, greatest(wanted, 5));
    UPDATE listener_genres g SET
      pass_position = pass_row.pass_position,
      ahead = pass_row.ahead,
      ahead_numbers = pass_row.ahead_numbers,
      ahead_reasons = pass_row.ahead_reasons
    WHERE g.user_id = listener AND g.microgenre_id = genre
      AND (g.pass_position, g.ahead) IS DISTINCT FROM (pass_row.pass_position, pass_row.ahead);
    coming := pass_row.ahead[:wanted];
  END IF;
  RETURN QUERY
    SELECT c.id, false, pass_row.ahead_reasons[array_position(pass_row.ahead, c.id)]
    FROM unnest(coming) WITH ORDINALITY AS c (id, rank) ORDER BY c.rank;
  IF cardinality(coming) < wanted THEN
    RETURN QUERY
      SELECT u.song_id, u.put_off, NULL::smallint
      FROM functions.unrated_songs(listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position,
                            wanted - cardinality(coming)) WITH ORDINALITY AS u (place, song_id, put_off, rank)
      ORDER BY u.rank;
  END IF;
END
$$;
