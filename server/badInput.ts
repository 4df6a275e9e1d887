/** The file or the command line is invalid. The message says what to do. */
export class BadInput extends Error {}

/** The command line is, whatever the files contain. */
export class UsageError extends BadInput {}
