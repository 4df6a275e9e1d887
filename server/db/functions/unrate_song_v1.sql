-- unrate_song_v2 of the rating that there is. Only servers of the previous version call it.
CREATE OR REPLACE FUNCTION unrate_song_v1(listener bigint, song bigint, bring_back boolean)
RETURNS boolean
LANGUAGE sql AS $$
  SELECT unrate_song_v2(listener, song, bring_back, (
    SELECT rating_time_v1(r.rated_at) FROM ratings r WHERE r.user_id = listener AND r.song_id = song))
$$;
