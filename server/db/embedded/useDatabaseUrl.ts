/** The way out that every refusal of the embedded database names: a PostgreSQL of one's own. */
export const useDatabaseUrl = 'or set DATABASE_URL to a PostgreSQL 15 or newer of your own.'
