-- Up to `wanted` next songs of a listener in a microgenre, in the order of the pass, with all that a page shows of them
-- (the columns of `songColumns` in discovery/song.ts), whether each was put off before, and why it is dealt (discover-52;
-- null if it was not dealt). The first call begins the pass. Songs are dealt here when too few are ahead, because a page
-- asks for songs ahead while one plays.
CREATE FUNCTION functions.next_songs(listener bigint, genre bigint, wanted integer)
RETURNS TABLE (put_off boolean, reason smallint, song_id bigint, title text, artist text, year integer,
  album_art text, youtube_id text, youtube_blocked boolean, spotify_id text, preview_url text, deezer_track_id text,
  release_mbid text, duration_ms integer, microgenre_id bigint, microgenre text, color text, audio jsonb)
LANGUAGE plpgsql ROWS 1 SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  pass_row listener_genres%ROWTYPE;
  coming bigint[] := '{}';
  others bigint[] := '{}';
  others_put_off boolean[] := '{}';
BEGIN
  SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
  IF FOUND THEN
    coming := functions.coming_cards(listener, genre, pass_row.ahead, wanted);
  END IF;
  IF cardinality(coming) < wanted THEN
    PERFORM FROM listener_stats s WHERE s.user_id = listener FOR NO KEY UPDATE;
    -- A deleted account must not get new rows.
    IF NOT FOUND THEN
      RETURN;
    END IF;
    PERFORM functions.begin_pass(listener, genre);
    PERFORM functions.fill_hands(listener, ARRAY[listener], ARRAY[genre], greatest(wanted, 5));
    SELECT * INTO pass_row FROM listener_genres g WHERE g.user_id = listener AND g.microgenre_id = genre;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    coming := functions.coming_cards(listener, genre, pass_row.ahead, wanted);
    SELECT coalesce(array_agg(u.song_id ORDER BY u.rank), '{}'), coalesce(array_agg(u.put_off ORDER BY u.rank), '{}')
    INTO others, others_put_off
    FROM functions.unrated_songs(listener, genre, pass_row.pass_seed, pass_row.pass_size, pass_row.pass_position,
      wanted - cardinality(coming)) WITH ORDINALITY AS u (place, song_id, put_off, rank);
  END IF;
  RETURN QUERY
    SELECT coalesce(others_put_off[(n.place - cardinality(coming))::integer], false),
      pass_row.ahead_reasons[array_position(pass_row.ahead, n.id)], s.id, s.title, s.artist, s.year, s.album_art,
      s.youtube_id, coalesce(s.blocked_video_id = s.youtube_id, false), s.spotify_id,
      CASE WHEN s.preview_expires_at > now() THEN s.preview_url END, s.deezer_track_id, s.release_mbid, s.duration_ms,
      s.microgenre_id, m.name, m.color,
      CASE WHEN s.blocked_audio_url IS DISTINCT FROM s.audio->>'url' THEN s.audio END
    FROM unnest(coming || others) WITH ORDINALITY AS n (id, place)
    LEFT JOIN songs s ON s.id = n.id
    LEFT JOIN microgenres m ON m.id = s.microgenre_id
    ORDER BY n.place;
END
$$;
