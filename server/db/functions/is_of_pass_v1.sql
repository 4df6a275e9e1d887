-- Whether a song was rated, put off or let go in this pass of the listener (discover-43), so that it is not to come any
-- more in its order. Only this function decides that. Two lookups by unique keys, each of one table, so that a cluster
-- plans them once, too.
CREATE OR REPLACE FUNCTION is_of_pass_v1(listener bigint, genre bigint, this_pass integer, song bigint) RETURNS boolean
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
