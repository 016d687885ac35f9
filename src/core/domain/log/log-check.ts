/**
 * The first pass over a public log, line by line: checksums, order, entries and the board's signature at the end. The
 * second pass (`log-replay.ts`) recomputes the boards. It needs to know from the first pass for which operators a
 * submission ever stopped counting.
 *
 * @module
 */
import {
  type BoardKeyLine,
  type EndLine,
  type EntryLine,
  type HeaderLine,
  PUBLIC_LOG_PAYLOAD_TYPE,
  PublicLogEnd,
  type PublicLogLine,
} from '#core/schema/public-log.ts';
import { BoardOrder } from './board-order.ts';
import { BoardPins } from './board-pins.ts';
import { parseAs } from '../text/faults.ts';
import { parseJsonBytes } from '../text/json.ts';
import { EntriesCheck, findingOf } from './log-entries-check.ts';
import type { FindingCode, Findings } from './log-finding.ts';
import type { KeyTools, LoggedBoardKey } from './log-keys.ts';
import {
  type RunningHash,
  SECTIONS,
  SectionSums,
  nameOfLine,
  readLine,
} from './public-log-line.ts';

interface LogCheckTools extends KeyTools {
  createHash: () => RunningHash;
}

/** A board key at the start of the file, before its log entry. */
interface ClaimedKey {
  line: number;
  key: BoardKeyLine;
}

export class LogCheck {
  readonly #tools: LogCheckTools;
  readonly #findings: Findings;
  readonly #sums: SectionSums;
  #header: HeaderLine | null = null;
  #entries: EntriesCheck | null = null;
  /** The board keys at the start of the file. */
  readonly #claimedKeys: ClaimedKey[] = [];
  readonly #boards = new BoardOrder((code, message, line = this.#lines) => {
    this.#findings.add({ code, line, message });
  });
  readonly #pins: BoardPins;
  #lines = 0;
  #read = 0;
  #hasSubmissions = false;
  #isDamaged = false;
  #isEnded = false;

  constructor(tools: LogCheckTools, findings: Findings) {
    this.#tools = tools;
    this.#findings = findings;
    this.#sums = new SectionSums(tools.createHash);
    this.#pins = new BoardPins(tools.createHash);
  }

  get header(): HeaderLine | null {
    return this.#header;
  }

  /** Whether any line is a line of a public log. */
  get isPublicLog(): boolean {
    return this.#read > 0;
  }

  /** Null before the header. */
  get entries(): EntriesCheck | null {
    return this.#entries;
  }

  /** Checks the next line. Returns it, or null if it cannot be read. */
  add(text: string): PublicLogLine | null {
    this.#lines += 1;
    const { line, isWhole } = readLine(text, this.#tools.sha256);
    if (!line) {
      this.#lose();
      this.#report('line_unreadable', 'this is not a line of a public log');
      return null;
    }
    this.#read += 1;
    if (!isWhole) {
      this.#isDamaged = true;
      this.#report('line_changed', `${nameOfLine(line)} was changed after it was written`);
    }
    if (this.#isEnded) {
      this.#report('line_misplaced', `${nameOfLine(line)} comes after the end`);
      return null;
    }
    this.#sums.add(line.line, text);
    this.#take(line, text);
    return line;
  }

  /** Reports a line that is not text. */
  addUnreadable(reason: string): void {
    this.#lines += 1;
    this.#lose();
    this.#report('line_unreadable', reason);
  }

  #lose(): void {
    this.#isDamaged = true;
    this.#entries?.chain.lose();
    this.#boards.lose();
    this.#pins.lose();
  }

  /** Reports what is missing after the last line. */
  finish(): void {
    if (this.#isEnded) return;
    const message = `the file stops after line ${this.#lines}, without an end line`;
    this.#findings.add({ code: 'file_incomplete', line: null, message });
  }

  get #lastIndex(): number {
    return this.#entries?.chain.last.log_index ?? 0;
  }

  #take(line: PublicLogLine, text: string): void {
    if (line.line === 'header') return this.#takeHeader(line);
    if (!this.#header)
      this.#report('line_misplaced', `${nameOfLine(line)} comes before the header`);
    switch (line.line) {
      case 'board_key':
        return this.#takeBoardKey(line);
      case 'entry':
        return this.#takeEntry(line);
      case 'board':
        this.#pins.addBoard(line, this.#lines);
        return this.#boards.addBoard(line, this.#lines, this.#lastIndex);
      case 'standing':
        this.#pins.addRow(line, text);
        return this.#boards.addRow(line);
      case 'end':
        return this.#takeEnd(line);
    }
  }

  #takeHeader(header: HeaderLine): void {
    if (this.#lines > 1) return this.#report('line_misplaced', 'there is a header within the file');
    this.#header = header;
    this.#entries = new EntriesCheck(header.base_url, this.#tools);
  }

  #takeBoardKey(key: BoardKeyLine): void {
    if (this.#lastIndex > 0) {
      this.#report('line_misplaced', `${nameOfLine(key)} comes after an entry`);
    }
    this.#claimedKeys.push({ line: this.#lines, key });
  }

  #takeEntry(entry: EntryLine): void {
    this.#boards.close();
    this.#pins.addEntry(entry.kind, entry.log_index);
    this.#hasSubmissions ||= entry.kind === 'snapshot';
    const known = this.#entries?.keys.board.length ?? 0;
    this.#entries?.add(entry, (finding) => this.#findings.add({ line: this.#lines, ...finding }));
    const pinned = this.#entries?.pinned;
    if (pinned?.entry === entry.log_index) this.#pins.pin(pinned.board, pinned.entry);
    const entered = this.#entries?.keys.board[known];
    if (entered) this.#compareKey(entered, this.#claimedKeys[known]);
  }

  /** Compares a key from an entry with the one at the start of the file. */
  #compareKey(entered: LoggedBoardKey, claimed: ClaimedKey | undefined): void {
    const { keyid, public_key, log_index, received_at } = entered;
    const own = [keyid, public_key, log_index, received_at];
    const key = claimed?.key;
    const said = key && [key.keyid, key.public_key, key.log_index, key.valid_from];
    if (own.join(' ') === said?.join(' ')) return;
    const message = `entry ${log_index} adds a different board key than the start of the file states`;
    this.#findings.add({ code: 'key_invalid', line: claimed?.line ?? null, message });
  }

  #takeEnd({ signature }: EndLine): void {
    this.#boards.close();
    this.#pins.close();
    this.#isEnded = true;
    this.#checkHead();
    this.#checkCurrent();
    for (const finding of this.#pins.differences()) this.#findings.add(finding);
    try {
      const bytes = this.#entries?.keys.openByBoard(signature, PUBLIC_LOG_PAYLOAD_TYPE);
      const end = bytes && parseAs(PublicLogEnd, parseJsonBytes(bytes), 'The payload');
      if (end) this.#compareEnd(end);
    } catch (error) {
      this.#report('end_invalid', findingOf(error, 'the end').message);
    }
  }

  /** Compares the header with the last entry and the current board. */
  #checkHead(): void {
    const header = this.#header;
    const last = this.#entries?.chain.last;
    if (!header || !last) return;
    const report = (message: string) => {
      this.#findings.add({ code: 'entry_misplaced', line: 1, message });
    };
    if (header.log_index !== last.log_index || header.entry_hash !== last.entry_hash) {
      report(`the header names a different last entry than entry ${last.log_index}`);
    }
    if (header.as_of !== (this.#boards.current?.as_of ?? null)) {
      report(`the header names a different day than the current board`);
    }
    this.#claimedKeys.slice(this.#entries?.keys.board.length).forEach(({ line, key }) => {
      this.#findings.add({ code: 'key_invalid', line, message: `no entry adds ${key.keyid}` });
    });
  }

  /** Without a current board, nothing that readers see could be checked. */
  #checkCurrent(): void {
    // A line that could not be read may have been the board.
    if (this.#boards.current || this.#isDamaged || !this.#hasSubmissions) return;
    const message = 'the file has submissions, but no current board to compare them with';
    this.#findings.add({ code: 'board_missing', line: null, message });
  }

  #compareEnd(end: PublicLogEnd): void {
    const last = this.#entries?.chain.last;
    if (end.log_index !== last?.log_index || end.entry_hash !== last.entry_hash) {
      const message = `the end is signed for entry ${end.log_index} with the hash ${end.entry_hash}`;
      this.#report('end_invalid', message);
    }
    const found = this.#sums.result();
    for (const name of SECTIONS) {
      const [signed, own] = [end.sections[name], found[name]];
      // A damaged line, which is already reported, explains a different hash.
      if (signed.sha256 === own.sha256 || (this.#isDamaged && signed.lines === own.lines)) continue;
      const message =
        signed.lines === own.lines
          ? `the ${own.lines} ${name} lines are not the ones that the board signed`
          : `there are ${own.lines} ${name} lines, but the board signed ${signed.lines}`;
      this.#findings.add({ code: 'section', line: null, message });
    }
  }

  #report(code: FindingCode, message: string): void {
    this.#findings.add({ code, line: this.#lines, message });
  }
}
