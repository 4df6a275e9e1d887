-- Brings back a song whose rating or 'Not now' of this pass is taken back (discover-49). A dealt one returns to its place
-- among the dealt ones, so their order never changes; another one to its place in the order of the pass. One that is not
-- drawn yet comes by itself. The caller holds the listener's lock.
CREATE FUNCTION functions.return_song(pass_row listener_genres, song bigint, number double precision, reason smallint)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  hand listener_hands%ROWTYPE;
  here integer;
  before integer;
  before_some boolean;
  cards bigint[];
BEGIN
  IF song = ANY (pass_row.ahead) THEN
    RETURN;
  END IF;
  IF number IS NULL THEN
    SELECT functions.place_of_song(pass_row.pass_seed, pass_row.pass_size, s.seq) INTO here FROM songs s WHERE s.id = song;
    SELECT * INTO hand FROM listener_hands h
    WHERE h.user_id = pass_row.user_id AND h.microgenre_id = pass_row.microgenre_id AND h.pass = pass_row.pass;
    IF here >= pass_row.pass_position OR song = ANY (hand.songs) THEN
      RETURN;
    END IF;
    -- Songs that are not ahead now may return, too: only a number that counts all dealt ones keeps the order.
    SELECT floor(max(d.number) FILTER (WHERE d.place < here)), coalesce(bool_or(d.place > here), false)
    INTO number, before_some
    FROM (
      SELECT a.number, functions.place_of_song(pass_row.pass_seed, pass_row.pass_size, s.seq) AS place
      FROM (
        SELECT a.song_id, a.number FROM unnest(pass_row.ahead, pass_row.ahead_numbers) AS a (song_id, number)
        UNION ALL
        SELECT r.song_id, r.dealt_number FROM ratings r
        WHERE r.user_id = pass_row.user_id AND r.microgenre_id = pass_row.microgenre_id AND r.pass = pass_row.pass
        UNION ALL
        SELECT n.song_id, n.dealt_number FROM not_now n
        WHERE n.user_id = pass_row.user_id AND n.microgenre_id = pass_row.microgenre_id AND n.pass = pass_row.pass
      ) a
      JOIN songs s ON s.id = a.song_id
      WHERE a.number IS NOT NULL
    ) d;
    IF NOT before_some THEN
      SELECT array_agg(s.id ORDER BY functions.place_of_song(pass_row.pass_seed, pass_row.pass_size, s.seq)) INTO cards
      FROM songs s WHERE s.id = ANY (hand.songs || song);
      INSERT INTO listener_hands (user_id, microgenre_id, pass, dealt, songs)
      VALUES (pass_row.user_id, pass_row.microgenre_id, pass_row.pass, coalesce(hand.dealt, 0), cards)
      ON CONFLICT (user_id, microgenre_id) DO UPDATE SET
        pass = excluded.pass, dealt = excluded.dealt, songs = excluded.songs;
      RETURN;
    END IF;
    number := coalesce(number, 0) + (here + 1) / (pass_row.pass_size + 1)::double precision;
  END IF;
  SELECT count(*) INTO before FROM unnest(pass_row.ahead_numbers) AS a (other) WHERE a.other < number;
  UPDATE listener_genres g SET
    ahead = g.ahead[:before] || song || g.ahead[before + 1:],
    ahead_numbers = g.ahead_numbers[:before] || number || g.ahead_numbers[before + 1:],
    ahead_reasons = g.ahead_reasons[:before] || reason || g.ahead_reasons[before + 1:]
  WHERE g.user_id = pass_row.user_id AND g.microgenre_id = pass_row.microgenre_id;
END
$$;
