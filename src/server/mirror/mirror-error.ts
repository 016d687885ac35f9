/** The two ways in which a mirror cannot follow its board. */

/** Something that the board published is wrong. */
export class MirrorFault extends Error {
  override readonly name = 'MirrorFault';
  /** The path of the file on the board, without the leading slash. */
  readonly file: string;

  /** @param message Continues a sentence that begins with the file, such as `is missing`. */
  constructor(file: string, message: string) {
    super(message);
    this.file = file;
  }
}

export function findingOf({ file, message }: MirrorFault): { file: string; message: string } {
  return { file, message };
}

/** The board does not answer as a board does. It may later. */
export class BoardUnavailable extends Error {
  override readonly name = 'BoardUnavailable';
}
