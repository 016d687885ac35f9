import { setTimeout as wait } from 'node:timers/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { UsageError, wholeNumber } from '#core/cli/arguments.ts';
import { parseVkey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { type DataLock, lockData } from '#db/engine/data-lock.ts';
import { BackupError } from '#server/process/backup-error.ts';
import { sha256 } from '#server/process/crypto.ts';
import { BoardClient } from '#server/mirror/board-client.ts';
import { MirrorFolder } from '#server/mirror/folder.ts';
import { Mirror } from '#server/mirror/mirror.ts';
import { reportText } from '#server/mirror/report.ts';
import { serveMirror } from '#server/mirror/serve-mirror.ts';
import { type MirrorPin, readPin } from '#server/mirror/state.ts';
import { type AdminExitCode, type AdminOutput, EXIT, command } from '../command.ts';

const DEFAULT_EVERY = 60;
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

interface FollowOptions {
  host: string;
  port: number | undefined;
  every: number | undefined;
  stop: AbortSignal;
}

export const mirror = command({
  help: `opbench-board mirror: follow the public log of another board and check it

Usage: opbench-board mirror URL DIR [--key VKEY] [--port PORT]
         [--every SECONDS] [--once] [--json]

  URL              the board, such as https://bench.example.org
  DIR              the folder of the mirror; created if it is missing
  --key VKEY       the key of the board's log, which its admin told you; default:
                   the key that the board publishes, from the first run on
  --port PORT      serve the log and a report on HOST and this port
  --every SECONDS  how often to ask for a new checkpoint; default: ${DEFAULT_EVERY}
  --once           check once, print the report and exit
  --json           print JSON, one report a line

mirror copies the log of a board and checks every piece before it keeps it: the
signed checkpoint, the tiles and bundles of the Merkle tree, and payloads and
receipts. It checks that the log only grew, checks all signatures, and recomputes
the published boards. It never replaces its checkpoint by one that contradicts
it: it keeps both as evidence and reports it.

It drops payloads that the board hides or erases, when the log says so and at
least once a day. It checks its own files at each start and once a day, and
fetches damaged ones again. It can be killed at any moment.

Boards for members cannot be mirrored, because a mirror is public.

Exit codes: 0 no problems, 3 a check failed or the board does not answer.

Example: opbench-board mirror https://bench.example.org /srv/mirror --port 8080
`,
  json: `opbench-board mirror --json prints one object for each check:

  board        the board's address
  origin       the name of the log, or null before the first checkpoint
  vkey         the key of the log, or null
  sound        whether no check failed
  size         entries in the checkpoint of the mirror
  root         its root in Base64, or null
  board_size   entries in the newest checkpoint of the board, or null
  complete_at  when the mirror last had everything, or null
  repaired     {files, last}: damaged files of the mirror that were fetched again
  checks       array of {name, meaning, ok, since, checked_at, found, findings:
               [{file, message}]}; "ok" is null before the first result
`,
  options: {
    key: 'text',
    port: wholeNumber(0, 65_535),
    every: wholeNumber(1, 86_400),
    once: 'flag',
  },
  words: 2,
  keepsUser: true,
  async run({ words: [url, dir], values: { key, ...values } }, output, { environment }) {
    const board = boardUrl(url);
    if (dir === undefined) throw new UsageError('mirror needs a folder DIR');
    const folder = new MirrorFolder(resolve(dir));
    const lock = lockFolder(folder.path);
    const stop = new AbortController();
    const end = () => stop.abort();
    SIGNALS.forEach((signal) => process.once(signal, end));
    try {
      folder.prepare();
      const client = new BoardClient(board, stop.signal);
      const pin = pinOf(folder, board, key);
      const followed = new Mirror({ folder, client, pin, now: () => new Date() });
      await followed.open();
      if (values.once) return await checkOnce(followed, output);
      const host = environment['HOST'] ?? '127.0.0.1';
      await follow({ folder, mirror: followed }, output, { ...values, host, stop: stop.signal });
      return EXIT.ok;
    } finally {
      SIGNALS.forEach((signal) => process.off(signal, end));
      lock.release();
    }
  },
});

async function checkOnce(followed: Mirror, output: AdminOutput): Promise<AdminExitCode> {
  const report = await followed.pass();
  output.result(report, reportText(report));
  return report.sound ? EXIT.ok : EXIT.refused;
}

/** Follows the board until it is stopped. Reports only what changed. */
async function follow(
  served: Parameters<typeof serveMirror>[0],
  output: AdminOutput,
  { host, port, every = DEFAULT_EVERY, stop }: FollowOptions,
): Promise<void> {
  const server = port === undefined ? null : await serveMirror(served, { host, port });
  if (server) output.note(`The mirror is at ${addressOf(server)}`);
  try {
    for (let said = ''; !stop.aborted;) {
      const report = await served.mirror.pass();
      const text = reportText(report);
      if (text !== said && !stop.aborted) output.result(report, text);
      said = text;
      await wait(1000 * every, undefined, { signal: stop }).catch(() => undefined);
    }
  } finally {
    server?.closeAllConnections();
    server?.close();
  }
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

function boardUrl(text = ''): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return url.origin;
  throw new UsageError('mirror needs the URL of a board, such as https://bench.example.org');
}

function lockFolder(path: string): DataLock {
  const lock = lockData(path);
  if (lock) return lock;
  throw new BackupError('taken', `Another process mirrors into ${path}`);
}

/** The log that the folder mirrors; null if the first pass finds out. */
function pinOf(folder: MirrorFolder, board: string, given: string | undefined): MirrorPin | null {
  const known = readPin(folder);
  const vkey = given === undefined ? known?.vkey : readVkey(given);
  if (known && vkey !== known.vkey) {
    throw new UsageError(
      `${folder.path} is the mirror of a log with the key ${known.vkey}`,
      'Use another folder for another key',
    );
  }
  if (vkey === undefined) {
    if (folder.read('log/checkpoint') === null) return null;
    throw new UsageError(
      `mirror.json in ${folder.path} is missing or damaged, so the key of the log is unknown`,
      'Name it with --key',
    );
  }
  return { board, vkey };
}

function readVkey(text: string): string {
  try {
    return vkeyOf(parseVkey(text, sha256));
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new UsageError(`--key: ${error.message}`);
  }
}
