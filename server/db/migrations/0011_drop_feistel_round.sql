-- permute has not called it since 0005. Functions are in server/db/functions from now on; a file that is deleted there
-- drops its function.
DROP FUNCTION feistel_round(bigint, bigint);
