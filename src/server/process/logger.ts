import { writeSync } from 'node:fs';

export type Level = 'error' | 'info' | 'warn';

/** Writes one line of JSON for each event to stderr. Never pass it a token, an address or an email. */
export interface Logger {
  info(event: string, fields?: Fields): void;
  /** Something that the admin should check, although the board continues. */
  warn(event: string, fields?: Fields): void;
  error(event: string, error: unknown, fields?: Fields): void;
}

type Fields = Readonly<Record<string, string | number>>;

/** @param watch Called for each event. */
export function createLogger(
  write: (line: string) => void,
  watch: (level: Level, event: string) => void = () => undefined,
): Logger {
  const line = (level: Level, event: string, fields: object) => {
    watch(level, event);
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  };
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
/** Characters that are written immediately, without waiting for more lines. */
const FULL = 64 * 1024;
/** The most bytes kept while nothing reads them; later lines are dropped. */
const KEPT = 4 * 1024 * 1024;

/** Lines waiting to be written, in the order in which they came. */
interface LogLines {
  /** Adds a line that may be written together with others, because one write for each would cost too much. */
  add(line: string): void;
  say(line: string): void;
  /** Writes the waiting lines. Returns whether all were written. */
  flush(): boolean;
}

/** @param write Returns how many of the bytes were written. The rest is passed again. */
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
 * Writes as many bytes to a file descriptor as it accepts. A full pipe or disk accepts fewer, and must not end the
 * process.
 */
export function writeTo(fd: number): (bytes: Buffer) => number {
  return (bytes) => {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written);
    } catch {
      // The rest is passed again.
    }
    return written;
  };
}

const PAUSE_MS = 5;
const LAST_TRIES = 200;

/** Writes all waiting lines when the process ends, unless it is killed. */
export function flushAtExit(lines: LogLines): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  process.on('exit', () => {
    for (let tries = 0; !lines.flush() && tries < LAST_TRIES; tries += 1) {
      Atomics.wait(clock, 0, 0, PAUSE_MS);
    }
  });
}
