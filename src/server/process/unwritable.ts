/** Why something could not be written where a keeper wants it, and what to do then. */

/** A place that cannot be written; the message says what to do. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
  /** Whether no such place can be, whoever asks; else the disk or its owner refuses it. */
  readonly isNoPlace: boolean;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.isNoPlace = NO_PLACE.includes(String((cause as NodeJS.ErrnoException).code));
  }
}

const NO_PLACE = ['EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'];

const FULL = 'its disk is full. Make room, or name another one';
const IN_THE_WAY = 'a file stands where a folder should';
const NOT_ALLOWED = 'you may not write there. Name another place, or run this as a user who may';

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EDQUOT: FULL,
  EEXIST: IN_THE_WAY,
  EFBIG: FULL,
  EISDIR: 'it is a folder. Name a file in it',
  ENAMETOOLONG: 'its name is too long. Give a shorter one',
  ENOENT: 'no folder can be made there, or it was taken away meanwhile. Name another place',
  ENOSPC: FULL,
  ENOTDIR: IN_THE_WAY,
  EPERM: NOT_ALLOWED,
  EROFS: 'its disk may only be read. Name another one',
};

/** The refusal of the system to write a path, in words; every other error as it is. */
export function unwritable(path: string, error: unknown): unknown {
  const words = whyUnwritable(path, error);
  return words === null ? error : new UnwritableError(words, error);
}

/** Null if it was not the system that refused. */
export function whyUnwritable(path: string, error: unknown): string | null {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z_0-9]+$/.test(code)) return null;
  return `${path} cannot be written: ${ADVICE[code] ?? message}`;
}
