-- The first `wanted` of these songs that are still to come: not retired, rated, put off or let go. A loop with lookups by
-- unique keys, for the same reason as in unrated_songs_v2.
CREATE OR REPLACE FUNCTION coming_cards_v1(listener bigint, genre bigint, cards bigint[], wanted integer)
RETURNS bigint[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
  coming bigint[] := '{}';
  card bigint;
BEGIN
  FOREACH card IN ARRAY cards LOOP
    EXIT WHEN cardinality(coming) >= wanted;
    IF EXISTS (SELECT FROM songs s WHERE s.id = card AND s.retired_at IS NULL) AND NOT EXISTS (
      SELECT FROM songs_of_pass_v1(listener) p WHERE p.microgenre_id = genre AND p.song_id = card
    ) THEN
      coming := coming || card;
    END IF;
  END LOOP;
  RETURN coming;
END
$$;
