import { UsageError } from '#core/cli/arguments.ts';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
import { StoreError } from '#db/engine/store-error.ts';
import { isWriter, promote as promoteHere } from '#server/backups/promoting.ts';
import { restoredSentences } from '#server/backups/restored-text.ts';
import type { Restored } from '#server/backups/restoring.ts';
import { type Config, databasePath } from '#server/config/config.ts';
import { ConfigError } from '#server/config/config-error.ts';
import { hasConditionalWrites } from '#server/object-store/conditional.ts';
import { S3Store } from '#server/object-store/s3-store.ts';
import { readServedConfig } from '#server/running-server.ts';
import { EXIT, type AdminOutput, command } from '../command.ts';
import { makeDataFolder } from '../store.ts';
import { headText } from './verify-text.ts';

export const promote = command({
  help: `opbench-board promote: make this machine the writer of a board

Usage: opbench-board promote COPY [--complete] [--json]

  COPY        a copy of the board's database: the file that Litestream restored, a
              backup, or a folder of backups, of which the one with the longest log is
              used
  --complete  only for a board for members, whose log is not in the object store: COPY
              was made after the server had stopped for good
  --json      print JSON

Run it on a second machine when the writer is gone. DATA_DIR must be empty, and
OBJECT_STORE_URL must name the object store of the board. promote

  1. restores COPY as "restore" does, and completes it with everything that the log in
     the object store has: all entries, with the contents of submissions that the
     board shows;
  2. becomes the writer in the object store. A writer that still runs and reaches the
     store stops within five seconds, and never starts again with its data;
  3. waits for that, and begins again with step 1 if the log has grown meanwhile.

If anything fails, there is no board here, and you can run it again. Until step 2,
nothing has changed for the old writer. promote can be killed at any time. Of two
machines that are promoted at the same time, one becomes the writer.

What the board confirmed but did not publish yet is only in COPY, and else lost.
Devices send it again. The output says what was recovered.

A writer that cannot reach the object store does not learn that it was replaced. It
shows no new entries of the log, but confirms submissions that are lost then. If you
cannot be sure that it is off or reaches the store, turn it off first.

Example: opbench-board promote /backups
`,
  json: `opbench-board promote --json prints one object:

  copy         the copy that was used; null if this machine is the writer already
  log_index    number of the last log entry in the copy, or 0
  entry_hash   hash of that entry, or null
  operators    number of operators
  published    number of entries in the published log
  submissions  number of submissions that were entered from the published log
  lost         first and last of the log entries without contents, or null
  lost_entries number of these entries
`,
  options: { complete: 'flag' },
  word: 'COPY',
  async run({ values, word }, output, settings) {
    const config = readServedConfig(settings);
    if (!config.objectStore) {
      throw new ConfigError(
        'promote needs the object store of the board: set OBJECT_STORE_URL and its credentials. To restore a backup without one, use "opbench-board restore"',
      );
    }
    const store = new S3Store(config.objectStore);
    if (await isWriter(config, store)) return reportWriter(output);
    const file = newestIn(word);
    makeDataFolder(config);
    const onClaim = () => output.note('This machine is the writer now. Waiting for the old one.');
    const { complete } = values;
    const restored = await promoteHere({ config, store, file, complete, now: new Date(), onClaim });
    report(restored, { file, config }, output);
    if (!(await hasConditionalWrites(store))) output.note(UNCONDITIONAL);
    return EXIT.ok;
  },
});

function reportWriter(output: AdminOutput) {
  const nothing = { copy: null, log_index: 0, entry_hash: null, operators: 0, published: 0 };
  const result = { ...nothing, submissions: 0, lost: null, lost_entries: 0 };
  output.result(result, 'This machine is the writer already. Start the server.');
  return EXIT.ok;
}

/** The file, or the database with the longest log in a folder. */
function newestIn(word: string): string {
  const path = resolve(word);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${word} does not exist`);
  if (found.isFile()) return realpathSync(path);
  if (!found.isDirectory()) throw new UsageError(`${word} is not a file or a folder`);
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'))
    .map(({ name }) => join(path, name));
  const [newest] = files
    .map((file) => ({ file, size: headIn(file)?.log_index ?? 0 }))
    .sort((one, other) => other.size - one.size);
  if (newest && newest.size > 0) return realpathSync(newest.file);
  throw new UsageError(`${word} has no backup (*.sqlite) of a board with a log`);
}

/** Null if it is not a board's database. */
function headIn(file: string): LogHead | null {
  try {
    const board = inspectDatabase(file);
    try {
      return board.head();
    } finally {
      board.close();
    }
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

function report(
  restored: Restored,
  { file, config }: { file: string; config: Config },
  output: AdminOutput,
): void {
  const { head, operators, continued, published } = restored;
  const { log_index = 0, entry_hash = null } = head ?? {};
  const { lost, lostEntries: lost_entries, entered: submissions } = continued;
  output.result(
    {
      ...{ copy: file, log_index, entry_hash, operators, published },
      ...{ submissions, lost, lost_entries },
    },
    [
      `Promoted: ${databasePath(config)}`,
      `Copy: ${file}, ${head ? `head ${headText(head)}` : 'no log entries'}`,
      `Published log: ${published} entries`,
      `Operators: ${operators}`,
    ].join('\n'),
  );
  for (const sentence of [...restoredSentences(restored), ...NEXT]) output.note(sentence);
}

const UNCONDITIONAL =
  'The object store has no conditional writes. If another machine was promoted at the same time, run "opbench-board doctor" there, too: only one of them may say that it is the writer.';

const NEXT = [
  'Devices report a contradiction if the board confirmed something to them that was in no copy. Their owners then run "opbench submit --accept-log".',
  'Next: copy the environment variables and BOARD_DIR, keep BASE_URL, start the server with "opbench-board serve", and point DNS or the proxy to this machine.',
  'The old machine: its server stops by itself if it reaches the object store. Do not start it without OBJECT_STORE_URL. To make it the standby, move its data folder away, and run Litestream or copies of backups to it.',
];
