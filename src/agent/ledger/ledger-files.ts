/** The files of the ledger: a summary, and one shard for each tool and month. */
import { existsSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, Failure } from '../failure.ts';
import { listFolder } from '../state/atomic-file.ts';
import { type Sealed, digestIn, readSealed, writeSealed } from '../state/sealed-file.ts';
import { type RuledShard, bytesOfShard, parseShard } from './shard.ts';
import { LEDGER_FORM, SUMMARY, type Summary } from './summary-file.ts';

/** Tool, month and the run that wrote the file. Files are never overwritten. */
const SHARD = /^(.+)\.([^.]+)\.(\d+)\.rows$/;

export interface ShardName {
  file: string;
  tool: string;
  month: string;
  run: number;
}

type ReadSummary =
  { state: 'absent' | 'damaged' | 'newer' } | { state: 'whole'; summary: Summary; digest: string };

export class LedgerFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  readSummary(): ReadSummary {
    const sealed = readSealed(this.pathOf(SUMMARY), LEDGER_FORM);
    if (sealed.state !== 'whole') return sealed;
    return { ...sealed, summary: JSON.parse(sealed.body.toString()) as Summary };
  }

  /** The digest in the summary's header, unchecked. Shows whether another process has written it. */
  summaryDigest(): string | null {
    return digestIn(this.pathOf(SUMMARY));
  }

  writeSummary(summary: Summary): string {
    return writeSealed(this.pathOf(SUMMARY), LEDGER_FORM, Buffer.from(JSON.stringify(summary)));
  }

  /**
   * The responses in a file.
   *
   * @returns The state of the file if it is missing, damaged or newer.
   */
  readShard(file: string): RuledShard | Exclude<Sealed['state'], 'whole'> {
    const sealed = readSealed(this.pathOf(file), LEDGER_FORM);
    return sealed.state === 'whole' ? (parseShard(sealed.body) ?? 'damaged') : sealed.state;
  }

  /**
   * Writes the responses of a tool and month.
   *
   * @returns The name of the file.
   */
  writeShard({ tool, month, run }: Omit<ShardName, 'file'>, shard: RuledShard): string {
    const file = `${tool}.${month}.${run}.rows`;
    writeSealed(this.pathOf(file), LEDGER_FORM, bytesOfShard(shard));
    return file;
  }

  /** All shards in the folder, including those that are not in the summary. */
  shards(): ShardName[] {
    return listFolder(this.folder).flatMap((file) => {
      const [, tool, month, run] = SHARD.exec(file) ?? [];
      return tool && month ? [{ file, tool, month, run: Number(run) }] : [];
    });
  }

  /** Sets the modification time of the summary, if there is one. Errors are ignored. */
  touchSummary(at: Date): void {
    try {
      utimesSync(this.pathOf(SUMMARY), at, at);
    } catch {
      // Only status lines show how old it is.
    }
  }

  /** Removes shards that are not in the summary, and temporary files of interrupted runs. */
  tidy(named: ReadonlySet<string>): void {
    const drafts = listFolder(this.folder).filter((name) => /\.\d+\.tmp$/.test(name));
    const others = this.shards().map(({ file }) => file);
    for (const file of [...drafts, ...others]) if (!named.has(file)) this.remove(file);
  }

  /** Removes a file. Errors are ignored. */
  remove(file: string): void {
    try {
      rmSync(this.pathOf(file), { force: true });
    } catch {
      // The next run tries again.
    }
  }

  /** Renames a damaged file. */
  setAside(file: string): void {
    const path = this.pathOf(file);
    let aside = `${path}.damaged`;
    for (let number = 2; existsSync(aside); number += 1) aside = `${path}.damaged-${number}`;
    if (!existsSync(path)) return;
    try {
      renameSync(path, aside);
    } catch (error) {
      throw new Failure(EXIT.usage, `${path} cannot be renamed: ${(error as Error).message}`);
    }
  }

  damaged(): string[] {
    return listFolder(this.folder).filter((name) => /\.damaged(-\d+)?$/.test(name));
  }

  pathOf(file: string): string {
    return join(this.folder, file);
  }
}
