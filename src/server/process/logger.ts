import { writeSync } from 'node:fs';

export type Level = 'error' | 'info' | 'warn';

/** One line of JSON an event, on stderr. Never give it a token, an address or an e-mail. */
export interface Logger {
  info(event: string, fields?: Fields): void;
  /** What the admin should look at, though the board goes on. */
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

const EVERY_MS = 250;
/** So many characters wait for nobody. */
const FULL = 64 * 1024;
/** What is kept at most while nobody takes it, in bytes; what comes then is lost. */
const KEPT = 4 * 1024 * 1024;

/** Lines on their way out, in the order in which they came. */
interface LogLines {
  /** Takes a line that may wait for others: a write for each would cost more than what it tells of. */
  add(line: string): void;
  say(line: string): void;
  /** Writes what there is; returns whether all of it was taken. */
  flush(): boolean;
}

/** @param write Returns how many of the bytes were taken; the others are offered again. */
export function createLines(write: (bytes: Buffer) => number): LogLines {
  let text = '';
  let rest = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const later = () => void (timer ??= setTimeout(flush, EVERY_MS).unref());
  function flush(): boolean {
    clearTimeout(timer);
    timer = undefined;
    const bytes = Buffer.from(text);
    text = '';
    if (rest.length === 0) rest = bytes;
    else if (rest.length < KEPT) rest = Buffer.concat([rest, bytes]);
    rest = rest.subarray(write(rest));
    if (rest.length > 0) later();
    return rest.length === 0;
  }
  return {
    add(line) {
      text += line;
      if (text.length < FULL || rest.length > 0) later();
      else flush();
    },
    say(line) {
      text += line;
      flush();
    },
    flush,
  };
}

/**
 * Writes to a file descriptor as much as it takes: a pipe that nobody reads just now takes less, and so
 * does a full disk. Neither may end the board.
 */
export function writeTo(fd: number): (bytes: Buffer) => number {
  return (bytes) => {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written);
    } catch {
      // What is left is offered again.
    }
    return written;
  };
}

const PAUSE_MS = 5;
const LAST_TRIES = 200;

/** Writes all of it when the process ends, however it comes to that but by being killed. */
export function flushAtExit(lines: LogLines): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  process.on('exit', () => {
    for (let tries = 0; !lines.flush() && tries < LAST_TRIES; tries += 1) {
      Atomics.wait(clock, 0, 0, PAUSE_MS);
    }
  });
}
