-- The seq of the song at a place of a pass. Songs that were added after the pass began follow in the order of their
-- addition. Only this function and place_of_song define the order.
CREATE FUNCTION functions.song_at_place(seed integer, pass_size integer, place integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN place < pass_size THEN functions.permute(seed, place, pass_size) ELSE place END
$$;
