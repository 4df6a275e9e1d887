-- The seq at a place of a pass. Songs added after the pass began follow in the order they came. Everything about the
-- order is in this function and place_of_song.
CREATE OR REPLACE FUNCTION song_at_place(seed integer, pass_size integer, place integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN place < pass_size THEN permute(seed, place, pass_size) ELSE place END
$$;
