/** The alternative that every error of the embedded database offers. */
export const DATABASE_URL_HINT = 'or set DATABASE_URL to a PostgreSQL 15 or newer of your own.'
