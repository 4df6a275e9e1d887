-- Begins the first pass of a listener through a microgenre, unless there is one. The caller holds the listener's lock.
CREATE FUNCTION functions.begin_pass(listener bigint, genre bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  genre_size integer;
BEGIN
  PERFORM FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  IF NOT FOUND THEN
    SELECT m.song_count INTO genre_size FROM microgenres m WHERE m.id = genre;
    IF FOUND THEN
      INSERT INTO listener_genres (user_id, microgenre_id, pass_seed, pass_size)
      VALUES (listener, genre, floor(random() * 2147483647)::integer, genre_size);
    END IF;
  END IF;
END
$$;
