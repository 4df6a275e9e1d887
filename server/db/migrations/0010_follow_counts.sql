CREATE TABLE "follow_counts" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"followers" integer NOT NULL,
	"following" integer NOT NULL
);
--> statement-breakpoint
-- Follows wait from here on, and are counted by the triggers. Nothing else waits.
LOCK TABLE "follows" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "follow_counts" ("user_id", "followers", "following")
SELECT "id", "follower_count", "following_count" FROM "users" WHERE "follower_count" > 0 OR "following_count" > 0;
--> statement-breakpoint
CREATE INDEX "follow_counts_followers" ON "follow_counts" USING btree ("followers" DESC NULLS FIRST,"user_id");--> statement-breakpoint
-- Also counts the follows of the version before. In order, so that two statements do not deadlock.
CREATE FUNCTION count_follows() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
	INSERT INTO follow_counts AS c (user_id, followers, following)
	SELECT user_id, sum(followers), sum(following) FROM (
		SELECT followed_id AS user_id, 1 AS followers, 0 AS following FROM changed
		UNION ALL SELECT follower_id, 0, 1 FROM changed) one
	GROUP BY user_id ORDER BY user_id
	ON CONFLICT (user_id) DO UPDATE SET followers = c.followers + excluded.followers,
		following = c.following + excluded.following;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION discount_follows() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
	PERFORM FROM follow_counts WHERE user_id IN (SELECT followed_id FROM changed UNION SELECT follower_id FROM changed)
	ORDER BY user_id FOR UPDATE;
	UPDATE follow_counts c SET followers = c.followers - gone.followers, following = c.following - gone.following
	FROM (
		SELECT user_id, sum(followers) AS followers, sum(following) AS following FROM (
			SELECT followed_id AS user_id, 1 AS followers, 0 AS following FROM changed
			UNION ALL SELECT follower_id, 0, 1 FROM changed) one
		GROUP BY user_id) gone
	WHERE c.user_id = gone.user_id;
	DELETE FROM follow_counts WHERE followers = 0 AND following = 0
		AND user_id IN (SELECT followed_id FROM changed UNION SELECT follower_id FROM changed);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER count_follows AFTER INSERT ON "follows" REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_follows();--> statement-breakpoint
CREATE TRIGGER discount_follows AFTER DELETE ON "follows" REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION discount_follows();
