/** Checks a public log and reports the result. */
import { mkdtempSync, rmSync, createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Identity, Keystore } from '../state/keystore.ts';
import { type KeptReceipt, receiptsIn } from '../state/board-files.ts';
import { unreachable } from '../board/failure.ts';
import type { Client } from '../board/client.ts';
import { RetryingClient, compareKeys, walkLiveLog } from './live-log.ts';
import { askShown, reportShown } from './live-boards.ts';
import { NoPublicLog, type ReadLog, readLog } from './read-log.ts';
import { type Compared, type VerifyReport, reportOf } from './report.ts';

/**
 * Checks the public log of a board, and compares it with the board's current responses.
 *
 * @param options Called with reasons for delays, and whether the calibration is wanted.
 * @throws {Failure} if a request fails, or the board sends no public log.
 */
export async function verifyBoard(
  device: LocalDevice,
  board: string,
  { note, calibration }: { note: (text: string) => void; calibration: boolean },
): Promise<VerifyReport> {
  const retrying = new RetryingClient((seconds) =>
    note(`${board} asks to wait ${seconds} seconds. Waiting ...`),
  );
  const folder = mkdtempSync(join(tmpdir(), 'opbench-verify-'));
  try {
    const path = join(folder, 'log.ndjson.gz');
    await retrying.ask(() => download(device.client, board + PUBLIC_LOG_PATH, path));
    const asked = { board, client: device.client, retrying };
    return await verifyFile(device, path, { asked, calibration });
  } catch (error) {
    if (!(error instanceof NoPublicLog)) throw error;
    const message = `${board + PUBLIC_LOG_PATH} is not the public log of a board`;
    throw new Failure(EXIT.network, message, 'Check the address.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Live = Parameters<typeof walkLiveLog>[0];

/**
 * Checks a public log in a file.
 *
 * @param options The board to compare with, if there is one, and whether the calibration is wanted.
 * @throws {Failure} if the file cannot be read or is not a public log.
 */
export async function verifyFile(
  device: LocalDevice,
  path: string,
  { asked = null, calibration }: { asked?: Live | null; calibration: boolean },
): Promise<VerifyReport> {
  const findings = new Findings();
  const own = ownReceipts(device.keystore);
  const indexes = own.flatMap(({ receipts }) => receipts.map(({ log_index }) => log_index));
  const wanted = { entries: new Set(indexes), calibration };
  const read = await readLog(path, findings, wanted);
  const { header, entries } = read.check;
  const last = lastOf(entries);
  const live = asked && entries && (await compareLive(asked, entries, read, findings));
  // Without the live log, later entries than those of the file cannot be looked up.
  const known = {
    last: live ? Number.POSITIVE_INFINITY : last.log_index,
    hashOf: (index: number) => read.hashes.get(index) ?? live?.hashes.get(index),
  };
  const asIs = { base_url: header?.base_url, asked: asked?.board };
  const mine = entries ? receiptsOf(own, entries, Object.values(asIs)) : [];
  const lookedUp = entries && lookUp(mine, entries, known, findings);
  const addresses = [asIs.asked, ...mine.map(({ identity }) => identity.board)];
  return reportOf(asIs.asked ?? path, read, {
    findings,
    live,
    ownReceipts: lookedUp,
    last,
    addresses,
  });
}

/** How many receipts were looked up; null if this device is not enrolled. */
function lookUp(
  mine: readonly OwnReceipts[],
  entries: EntriesCheck,
  known: KnownEntries,
  findings: Findings,
): number | null {
  if (mine.length === 0) return null;
  return mine.reduce((sum, own) => sum + checkReceipts(own, entries, known, findings), 0);
}

function lastOf(entries: EntriesCheck | null) {
  const { log_index = 0 } = entries?.chain.last ?? {};
  return { log_index, ...(entries?.chain.counts() ?? { erased: 0, lost: 0, withheld: 0 }) };
}

async function compareLive(
  asked: Live,
  entries: EntriesCheck,
  { kept }: ReadLog,
  findings: Findings,
): Promise<Compared> {
  await compareKeys(asked, entries, findings);
  // Before the log is read, so that entries which hide an operator meanwhile are in it.
  const boards = await askShown(asked, kept);
  const log = await walkLiveLog(asked, entries, findings);
  reportShown(boards, log.isSeenOtherwise, findings);
  return { ...log, boards };
}

/** An identity of this device, and its receipts. */
interface OwnReceipts {
  identity: Identity;
  receipts: readonly KeptReceipt[];
}

interface KnownEntries {
  last: number;
  hashOf: (log_index: number) => string | undefined;
}

function ownReceipts(keystore: Keystore): OwnReceipts[] {
  return keystore.identities().sound.map((identity) => {
    return { identity, receipts: receiptsIn(keystore.folderOf(identity.board)) };
  });
}

/** The receipts of this board. It may have another address, but then it has the same key. */
function receiptsOf(
  own: readonly OwnReceipts[],
  { keys }: EntriesCheck,
  addresses: readonly (string | undefined)[],
): OwnReceipts[] {
  return own.filter(({ identity: { board, board_public_key } }) => {
    const hasKey = keys.board.some(({ public_key }) => public_key === board_public_key);
    return hasKey || addresses.includes(board);
  });
}

/**
 * Checks that the log belongs to the board where this device enrolled, and contains the entries of its receipts.
 * Returns how many could be looked up.
 */
function checkReceipts(
  { identity, receipts }: OwnReceipts,
  { keys }: EntriesCheck,
  { last, hashOf }: KnownEntries,
  findings: Findings,
): number {
  const { board, board_public_key } = identity;
  const report = (message: string, log_index?: number) => {
    const at = log_index === undefined ? {} : { log_index };
    findings.add({ code: 'own_receipt', line: null, message, ...at });
  };
  if (!keys.board.some(({ public_key }) => public_key === board_public_key)) {
    report(`its log has other keys than ${board} had when this device enrolled`);
  }
  const known = receipts.filter(({ log_index }) => log_index <= last);
  for (const { log_index, entry_hash } of known) {
    if (hashOf(log_index) === entry_hash) continue;
    report(`entry ${log_index} does not match this device's receipt for it`, log_index);
  }
  return known.length;
}

/** The largest accepted file (16 GiB). */
const MAX_BYTES = 16 * 1024 ** 3;
/** The download stops if the board sends nothing for this long. */
const STALLED_MS = 60_000;

/**
 * Downloads a file of a board.
 *
 * @throws {Failure} `network` if the download does not complete.
 */
async function download(client: Client, url: string, path: string): Promise<void> {
  const stalled = new AbortController();
  const abort = () => stalled.abort(new Error('it sent nothing for a minute'));
  let timer = setTimeout(abort, STALLED_MS);
  let length = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      clearTimeout(timer);
      timer = setTimeout(abort, STALLED_MS);
      length += chunk.length;
      if (length <= MAX_BYTES) pass(null, chunk);
      else pass(new Failure(EXIT.network, `${url} is larger than 16 GiB`));
    },
  });
  try {
    const body = await client.file(url, stalled.signal);
    const bytes = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(bytes, watch, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(url, error);
  } finally {
    clearTimeout(timer);
  }
}
