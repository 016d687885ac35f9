/** Checks the entries of a mirrored log in their order: the hash chain, every signature and every receipt. */
import { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { CHECK_TOOLS } from '../verify/log.ts';
import type { MirrorFinding } from './checks.ts';
import type { MirrorFolder } from './folder.ts';
import { entriesOf } from './payload-files.ts';
import { type TreeFiles, payloadFile } from './tree-files.ts';

export class EntriesAudit {
  readonly #folder: MirrorFolder;
  readonly #baseUrl: string;
  #check: EntriesCheck;
  #findings = new Findings<MirrorFinding>();

  constructor(folder: MirrorFolder, baseUrl: string) {
    this.#folder = folder;
    this.#baseUrl = baseUrl;
    this.#check = new EntriesCheck(baseUrl, CHECK_TOOLS);
  }

  /**
   * Checks the entries that were not checked yet.
   *
   * @param isOther Whether payloads of earlier entries changed, so that all entries are checked again.
   */
  async run(files: TreeFiles, isOther: boolean): Promise<Findings<MirrorFinding>> {
    if (isOther) {
      this.#check = new EntriesCheck(this.#baseUrl, CHECK_TOOLS);
      this.#findings = new Findings();
    }
    const { size } = files.head;
    while (this.#check.chain.last.log_index < size) {
      const { log_index: last } = this.#check.chain.last;
      const number = Math.floor(last / TILE_WIDTH);
      const file = payloadFile(number);
      for await (const entry of entriesOf(this.#folder, files, number)) {
        if (entry.log_index <= last) continue;
        this.#check.add(entry, ({ message }) => this.#findings.add({ file, message }));
      }
      if (this.#check.chain.last.log_index <= last) break;
      await yieldToEventLoop();
    }
    return this.#findings;
  }
}
