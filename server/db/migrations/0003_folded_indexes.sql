-- outside of a transaction
DROP INDEX CONCURRENTLY IF EXISTS "songs_folded";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "songs_folded" ON "songs" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace("folded", '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("folded", 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("folded", 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WHERE "songs"."retired_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "songs_title_key";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "songs_title_key" ON "songs" USING btree ("title_key");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "songs_to_fold";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "songs_to_fold" ON "songs" USING btree (("id" + 0)) WHERE "songs"."folded_from" is distinct from hashtextextended(title || chr(31) || artist, 0);--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_folded";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_folded" ON "users" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace("folded", '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("folded", 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("folded", 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WITH (fastupdate=false) WHERE "users"."is_public";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_folded_names";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_folded_names" ON "users" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace(split_part("folded", chr(31), 1), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(split_part("folded", chr(31), 1), 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr(split_part("folded", chr(31), 1), 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WITH (fastupdate=false) WHERE "users"."first_name" is not null or "users"."last_name" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_to_fold";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_to_fold" ON "users" USING btree (("id" + 0)) WHERE "users"."folded_from" is distinct from hashtextextended(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(31)
  || case when is_public then coalesce(bio, '') || chr(31) || case when show_email then coalesce(email, '') else '' end
     else '' end, 0);--> statement-breakpoint
DO $$ BEGIN
  LOOP
    UPDATE songs SET title = normalize(title), artist = normalize(artist) WHERE id IN (
      SELECT id FROM songs WHERE title IS NOT NFC NORMALIZED OR artist IS NOT NFC NORMALIZED LIMIT 1000);
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;--> statement-breakpoint
-- Some texts are longer when they are composed.
DO $$ BEGIN
  LOOP
    UPDATE users SET first_name = normalize(first_name), last_name = normalize(last_name),
      bio = CASE WHEN char_length(normalize(bio)) <= 280 THEN normalize(bio) ELSE bio END
    WHERE id IN (
      SELECT id FROM users WHERE first_name IS NOT NFC NORMALIZED OR last_name IS NOT NFC NORMALIZED
        OR bio IS NOT NFC NORMALIZED AND char_length(normalize(bio)) <= 280 LIMIT 1000);
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;
