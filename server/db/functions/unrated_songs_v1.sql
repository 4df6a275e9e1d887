-- unrated_songs_v2 without what was put off. Only the functions of the previous version call it.
CREATE OR REPLACE FUNCTION unrated_songs_v1(listener bigint, genre bigint, current_pass integer, seed integer,
  pass_size integer, from_place integer, wanted integer)
RETURNS TABLE (place integer, song_id bigint)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
  size integer;
  here integer;
  song bigint;
  found integer := 0;
BEGIN
  SELECT m.song_count INTO size FROM microgenres m WHERE m.id = genre;
  place := from_place;
  WHILE found < wanted AND place < size LOOP
    here := song_at_place(seed, pass_size, place);
    SELECT s.id INTO song FROM songs s
    WHERE s.microgenre_id = genre AND s.seq = here AND s.retired_at IS NULL;
    IF song IS NOT NULL AND NOT EXISTS (
      SELECT FROM ratings r WHERE r.user_id = listener AND r.song_id = song AND r.pass = current_pass
    ) THEN
      found := found + 1;
      song_id := song;
      RETURN NEXT;
    END IF;
    place := place + 1;
  END LOOP;
END
$$;
