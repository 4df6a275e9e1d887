-- How many songs are still to come in a listener's pass, those that were put off included, counted up to `most`.
CREATE FUNCTION functions.songs_left(listener bigint, genre bigint, most integer) RETURNS integer
LANGUAGE plpgsql STABLE AS $$
DECLARE
  pass_row listener_genres%ROWTYPE;
  cards bigint[];
BEGIN
  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  SELECT h.songs INTO cards FROM listener_hands h
  WHERE h.user_id = listener AND h.microgenre_id = genre AND h.pass = pass_row.pass;
  RETURN cardinality(functions.coming_cards(listener, genre, pass_row.ahead || cards, most)) + (
    SELECT count(*) FROM functions.unrated_songs(
      listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position, most));
END
$$;
