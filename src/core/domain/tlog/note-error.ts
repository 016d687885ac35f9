/** What is wrong with a note, or with what it claims. */
export type NoteErrorCode =
  | 'checkpoint_invalid'
  | 'consistency_invalid'
  | 'inclusion_invalid'
  | 'key_invalid'
  | 'note_invalid'
  | 'policy_invalid'
  | 'proof_invalid'
  | 'quorum_missing'
  | 'signature_invalid'
  | 'signature_missing';

/** An error in a note, checkpoint, proof, key or policy. The message names what is wrong. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
  readonly code: NoteErrorCode;
  /** The line of the text, starting at 1; null if the error does not concern a single line. */
  readonly line: number | null;

  constructor(code: NoteErrorCode, message: string, line: number | null = null) {
    super(line === null ? message : `Line ${line}: ${message}`);
    this.code = code;
    this.line = line;
  }
}
