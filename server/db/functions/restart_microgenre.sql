-- Begins the next pass through a microgenre; ratings, stats and achievements stay (discover-26). Returns false for an
-- unknown microgenre or listener.
CREATE FUNCTION functions.restart_microgenre(listener bigint, genre bigint)
RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  genre_size integer;
BEGIN
  PERFORM FROM listener_stats s WHERE s.user_id = listener FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT m.song_count INTO genre_size FROM microgenres m WHERE m.id = genre;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
  VALUES (listener, genre, floor(random() * 2147483647)::integer, genre_size)
  ON CONFLICT (user_id, microgenre_id) DO UPDATE SET
    pass = listener_genres.pass + 1,
    pass_seed = excluded.pass_seed,
    pass_size = excluded.pass_size,
    pass_position = 0,
    done = 0,
    lean_song_id = NULL,
    ahead = '{}',
    ahead_numbers = '{}',
    ahead_reasons = '{}';
  RETURN true;
END
$$;
