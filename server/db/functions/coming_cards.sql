-- The first `wanted` of these songs that are still to come: not retired, rated, put off or let go. A loop with lookups by
-- unique keys, for the same reason as in unrated_songs.
CREATE FUNCTION functions.coming_cards(listener bigint, genre bigint, cards bigint[], wanted integer)
RETURNS bigint[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
  this_pass integer;
  coming bigint[] := '{}';
  card bigint;
BEGIN
  SELECT g.pass INTO this_pass FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  FOREACH card IN ARRAY cards LOOP
    EXIT WHEN cardinality(coming) >= wanted;
    PERFORM FROM songs s WHERE s.id = card AND s.retired_at IS NULL;
    IF FOUND AND NOT functions.is_of_pass(listener, genre, this_pass, card) THEN
      coming := coming || card;
    END IF;
  END LOOP;
  RETURN coming;
END
$$;
