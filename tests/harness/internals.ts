/** Internals that only developers and attackers want to read (calls-6). */
export const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|\.ts\b|\.js\b|\/(work|home|root|usr|tmp|var)\/|select |insert |update |relation|constraint|syntax error|postgres|ECONN|PGSQL|stack/i
