-- Whether a song was rated, put off or let go in this pass of the listener (discover-43). Such a song is not dealt again.
-- Only this function decides that. It is two lookups by unique keys, each of one table, which a cluster plans only once.
CREATE FUNCTION functions.is_of_pass(listener bigint, genre bigint, this_pass integer, song bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM FROM ratings r WHERE r.user_id = listener AND r.song_id = song AND r.pass = this_pass;
  IF FOUND THEN
    RETURN true;
  END IF;
  PERFORM FROM not_now n
  WHERE n.user_id = listener AND n.microgenre_id = genre AND n.song_id = song AND n.pass = this_pass;
  RETURN FOUND;
END
$$;
