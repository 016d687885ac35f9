/** Ledgers of processes that are stopped at every point at which they change a file. */
import fc from 'fast-check';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { LoggedResponse } from '#core/schema/usage.ts';
import type { Sighting } from '#agent/ledger/types.ts';
import { TODAY, aLedger, aResponse, aSighting } from '#tests/support/agent/ledger.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

/** After a number of changes, no file changes any more, as if the process had ended. */
const disk = vi.hoisted(() => ({ changesLeft: Number.POSITIVE_INFINITY, isFull: false }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const counted = <Args extends unknown[], Result>(change: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (disk.changesLeft <= 0) throw new Error('no change any more');
      disk.changesLeft -= 1;
      return change(...args);
    };
  };
  return {
    ...fs,
    writeFileSync: counted(fs.writeFileSync),
    renameSync: counted(fs.renameSync),
    rmSync: (...args: Parameters<typeof fs.rmSync>) => {
      (disk.isFull ? fs.rmSync : counted(fs.rmSync))(...args);
    },
  };
});

beforeEach(
  () => void Object.assign(disk, { changesLeft: Number.POSITIVE_INFINITY, isFull: false }),
);

/** Runs until a number of files were changed. */
async function stoppedAfter(changes: number, run: () => Promise<unknown>): Promise<boolean> {
  disk.changesLeft = changes;
  try {
    await run();
  } catch {
    // The lock could not be released.
  }
  const isStopped = disk.changesLeft <= 0;
  disk.changesLeft = Number.POSITIVE_INFINITY;
  return isStopped;
}

const first = [0, 40, 80].map((daysAgo) => aResponse(`a${daysAgo}`, { daysAgo }));
const second = [0, 40, 80].map((daysAgo) => aResponse(`b${daysAgo}`, { daysAgo }));

describe('a process that ends while it writes', () => {
  test('leaves the ledger as before or as after, wherever it stops', async () => {
    const found = new Set<string>();
    for (let changes = 0, isStopped = true; isStopped; changes += 1) {
      const { folder, ledger } = aLedger();
      await ledger.update([aSighting(first)], TODAY);
      const adding = () => aLedger(folder).ledger.update([aSighting(second)], TODAY);
      isStopped = await stoppedAfter(changes, adding);

      const after = aLedger(folder).ledger;
      const outputs = after.buckets().map(({ output }) => output);
      found.add(outputs.join(' '));
      expect(after.id).toBe(ledger.id);
      await after.update([aSighting(second)], TODAY);
      const rest = aLedger(folder).ledger;
      expect(rest.buckets().map(({ output }) => output)).toEqual([200, 200, 200]);
      expect(rest.buckets().flatMap((bucket) => rest.responsesOf(bucket))).toHaveLength(6);
    }
    expect([...found]).toEqual(['100 100 100', '200 200 200']);
  });
});

describe('a full disk', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'after %i changes leaves nothing incomplete',
    async (changes) => {
      const { folder, ledger } = aLedger();
      await ledger.update([aSighting(first)], TODAY);
      const before = readdirSync(folder);
      const { ledger: full } = aLedger(folder);

      disk.isFull = true;
      disk.changesLeft = changes;
      const { notes } = await full.update([aSighting(second)], TODAY);
      disk.changesLeft = Number.POSITIVE_INFINITY;

      expect(notes).toEqual([expect.stringMatching(/^The ledger was not saved: /)]);
      expect(full.buckets().map(({ output }) => output)).toEqual([200, 200, 200]);
      expect(full.buckets().flatMap((bucket) => full.responsesOf(bucket))).toHaveLength(6);
      expect(full.id).not.toBe(ledger.id);
      expect(readdirSync(folder)).toEqual(before);
      expect(aLedger(folder).ledger.buckets()).toEqual(ledger.buckets());

      await full.update([aSighting([aResponse('c')])], TODAY);
      const saved = aLedger(folder).ledger;
      expect(saved.buckets().map(({ output }) => output)).toEqual([200, 200, 300]);
    },
  );
});

/** A response that grows in the logs. */
interface Line {
  key: number;
  output: number;
}

const line = fc.record({ key: fc.nat(9), output: fc.integer({ min: 1, max: 9 }) });
const log = fc.nat(2);
const step = fc.oneof(
  fc.record({ does: fc.constant('write' as const), log, lines: fc.array(line, { maxLength: 4 }) }),
  fc.record({ does: fc.constant('delete' as const), log }),
  fc.record({ does: fc.constant('rename all' as const) }),
  fc.record({ does: fc.constant('scan' as const), isWhole: fc.boolean() }),
  fc.record({ does: fc.constant('crash' as const), changes: fc.nat(9) }),
  fc.record({ does: fc.constant('lose a file' as const), pick: fc.nat(9) }),
);

/** Logs, a ledger that is updated from them, and the expected result. */
class Machine {
  readonly folder = join(aFolder(), 'ledger');
  #logs = new Map<number, Line[]>();
  #changed = new Set<number>();
  #mark = '';
  #renames = 0;
  readonly #names = new Map<number, string>();
  readonly #seen = new Map<number, number>();

  write(at: number, lines: readonly Line[]): void {
    this.#logs.set(at, [...(this.#logs.get(at) ?? []), ...lines.map((line) => ({ ...line }))]);
    this.#changed.add(at);
  }

  delete(at: number): void {
    this.#logs.delete(at);
  }

  /** As if all logs had been moved while they were counted, and responses had keys with the log's name. */
  renameAll(): void {
    this.#renames += 1;
    this.#changed = new Set(this.#logs.keys());
    for (const line of [...this.#logs.values()].flat()) {
      line.output = this.#seen.get(line.key) ?? line.output;
      this.#names.set(line.key, `${this.#renames} ${line.key}`);
    }
  }

  async scan(wantsWhole: boolean, changes = Number.POSITIVE_INFINITY): Promise<void> {
    const { ledger } = aLedger(this.folder);
    const isWhole = wantsWhole || this.#mark !== `${ledger.id} ${ledger.run}`;
    const sighting = this.#sighting(isWhole);
    const isStopped = await stoppedAfter(changes, () => ledger.update([sighting], TODAY));
    if (isStopped) return;
    this.#mark = `${ledger.id} ${ledger.run}`;
    this.#changed.clear();
    for (const { key, output } of [...this.#logs.values()].flat()) {
      this.#seen.set(key, Math.max(this.#seen.get(key) ?? 0, output));
    }
  }

  #sighting(isWhole: boolean): Sighting {
    const logs = [...this.#logs].filter(([at]) => isWhole || this.#changed.has(at));
    const told = logs.flatMap(([, lines]) => lines).map((one) => this.#responseOf(one));
    return aSighting(told);
  }

  #responseOf({ key, output }: Line): LoggedResponse {
    const { timestampMs } = aResponse(`r${key}`, { daysAgo: key * 7 });
    return aResponse(this.#names.get(key) ?? `0 ${key}`, { timestampMs, output });
  }

  /** A shard, whose counts are in the summary, or the summary, which is rebuilt from the shards. */
  loseFile(isSummary: boolean, pick: number): void {
    const all = existsSync(this.folder) ? readdirSync(this.folder).sort() : [];
    const files = all.filter((name) => isSummary === (name === 'summary.json'));
    const file = files[pick % files.length];
    if (file !== undefined) rmSync(join(this.folder, file));
  }

  expected(): number {
    return [...this.#seen.values()].reduce((sum, output) => sum + output, 0);
  }
}

describe('any order of scans, deletions, renames and crashes', () => {
  test('counts each response once, in its fullest version', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(step, { maxLength: 20 }),
        async (isSummary, steps) => {
          const machine = new Machine();
          const rest = [{ does: 'scan' as const, isWhole: true }];
          for (const one of [...steps, ...rest]) await take(machine, one, isSummary);

          const { ledger } = aLedger(machine.folder);
          const sum = ledger.buckets().reduce((all, { output }) => all + output, 0);
          expect(sum).toBe(machine.expected());
        },
      ),
      { numRuns: 40 },
    );
  });
});

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(machine: Machine, one: Step, isSummary: boolean): Promise<void> {
  if (one.does === 'write') machine.write(one.log, one.lines);
  if (one.does === 'delete') machine.delete(one.log);
  if (one.does === 'scan') await machine.scan(one.isWhole);
  if (one.does === 'rename all') {
    await machine.scan(true);
    machine.renameAll();
    await machine.scan(false);
  }
  if (one.does === 'crash') {
    await machine.scan(true, one.changes);
    await machine.scan(false);
  }
  if (one.does === 'lose a file') {
    await machine.scan(false);
    machine.loseFile(isSummary, one.pick);
  }
}
