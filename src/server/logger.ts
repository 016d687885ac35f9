/** One line of JSON an event, on stderr. Never give it a token, an address or an e-mail. */
export interface Logger {
  info(event: string, fields?: Readonly<Record<string, string | number>>): void;
  error(event: string, error: unknown, fields?: Readonly<Record<string, string | number>>): void;
}

export function createLogger(write: (line: string) => void): Logger {
  const line = (level: string, event: string, fields: object) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  return {
    info: (event, fields = {}) => line('info', event, fields),
    error(event, error, fields = {}) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      line('error', event, { ...fields, error: cause });
    },
  };
}
