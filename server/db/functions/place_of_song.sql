-- The inverse of song_at_place.
CREATE FUNCTION functions.place_of_song(seed integer, pass_size integer, seq integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN seq < pass_size THEN functions.permute(seed, seq, pass_size, true) ELSE seq END
$$;
