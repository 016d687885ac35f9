export type Level = 'error' | 'info' | 'warn';

/** One line of JSON an event, on stderr. Never give it a token, an address or an e-mail. */
export interface Logger {
  info(event: string, fields?: Fields): void;
  /** What the keeper should look at, though the board goes on. */
  warn(event: string, fields?: Fields): void;
  error(event: string, error: unknown, fields?: Fields): void;
}

type Fields = Readonly<Record<string, string | number>>;

export function createLogger(write: (line: string) => void): Logger {
  const line = (level: Level, event: string, fields: object) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  return {
    info: (event, fields = {}) => line('info', event, fields),
    warn: (event, fields = {}) => line('warn', event, fields),
    error(event, error, fields = {}) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      line('error', event, { ...fields, error: cause });
    },
  };
}
