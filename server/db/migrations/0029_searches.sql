ALTER TABLE "songs" ADD COLUMN "search_text" text GENERATED ALWAYS AS (translate(lower(title || ' ' || artist), 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ 	''’‘`´"“”.,;:!?()[]{}/\&+-–—_*#…%', 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "songs" ADD COLUMN "plain_title" text GENERATED ALWAYS AS (replace(replace(translate(lower(split_part(split_part(split_part(split_part(
          lower(title), ' - ', 1), ' (', 1), ' feat', 1), ' ft', 1)), 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ 	''’‘`´"“”.,;:!?()[]{}/\&+-–—_*#…%', 'aaaaaaceeeeiiiinooooouuuuyyaaaaaaceeeeiiiinooooouuuuy'), 'and', ''), 'the', '')) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search_text" text GENERATED ALWAYS AS (case when is_public then lower(
        coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(31) || coalesce(bio, '') || chr(31)
          || case when show_email then coalesce(email, '') else '' end) end) STORED;--> statement-breakpoint
CREATE INDEX "songs_deezer_track_id" ON "songs" USING btree ("deezer_track_id") WHERE "songs"."deezer_track_id" is not null;--> statement-breakpoint
CREATE INDEX "songs_plain_title" ON "songs" USING btree ("plain_title");--> statement-breakpoint
CREATE INDEX "songs_search" ON "songs" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace("search_text", '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WHERE "songs"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "songs_shortest" ON "songs" USING btree (char_length("title"),"id") WHERE "songs"."retired_at" is null;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (array_to_tsvector(array_remove(
    string_to_array(regexp_replace("search_text", '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 2), '...', '\&' || chr(31), 'g'), chr(31))
      || string_to_array(regexp_replace(substr("search_text", 3), '...', '\&' || chr(31), 'g'), chr(31)), ''))) WITH (fastupdate=false) WHERE "users"."is_public";--> statement-breakpoint
-- ANALYZE would make the trigrams of thousands of texts, for statistics that no search needs.
ALTER INDEX "songs_search" ALTER COLUMN 1 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "users_search" ALTER COLUMN 1 SET STATISTICS 0;
