-- These songs with all that a page shows of them, in this order. A song that is null comes as a row of nulls. The columns
-- are those of `songColumns` in discovery/song.ts.
CREATE FUNCTION functions.offer_songs(songs bigint[], put_offs boolean[], reasons smallint[])
RETURNS TABLE (put_off boolean, reason smallint, song_id bigint, title text, artist text, year integer, album_art text, youtube_id text, youtube_blocked boolean,
  spotify_id text, preview_url text, deezer_track_id text, release_mbid text, duration_ms integer, microgenre_id bigint,
  microgenre text, color text)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
BEGIN
  RETURN QUERY
    SELECT offered.put_off, offered.reason, s.id, s.title, s.artist, s.year, s.album_art, s.youtube_id, coalesce(s.blocked_video_id = s.youtube_id, false),
      s.spotify_id, CASE WHEN s.preview_expires_at > now() THEN s.preview_url END, s.deezer_track_id, s.release_mbid,
      s.duration_ms, s.microgenre_id, m.name, m.color
    FROM unnest(songs, put_offs, reasons) WITH ORDINALITY AS offered (id, put_off, reason, place)
    LEFT JOIN songs s ON s.id = offered.id
    LEFT JOIN microgenres m ON m.id = s.microgenre_id
    ORDER BY offered.place;
END
$$;
