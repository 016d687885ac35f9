/** Checks a public log and reports the result. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntriesCheck } from '#core/domain/log/log-entries-check.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Identity, Keystore } from '../state/keystore.ts';
import { type KeptReceipt, receiptsIn } from '../state/board-files.ts';
import { download } from './download.ts';
import { KeptLogFile } from './kept-log-file.ts';
import { RetryingClient, compareKeys, walkLiveLog } from './live-log.ts';
import { askShown, reportShown } from './live-boards.ts';
import { type DownloadedLog, boardsTag, downloadNews } from './news.ts';
import { NoPublicLog, type ReadLog, readLog } from './read-log.ts';
import { type Compared, type VerifyReport, reportOf } from './report.ts';

interface BoardOptions {
  /** Called with reasons for delays. */
  note: (text: string) => void;
  calibration: boolean;
  /** Whether to download everything again. */
  full: boolean;
}

/**
 * Checks the public log of a board, and compares it with the board's current responses. What the last successful check
 * of this board has left is not downloaded again. If the log that follows from it is not sound, the check is repeated
 * with everything downloaded, because operators may have hidden or deleted entries.
 *
 * @throws {Failure} if a request fails, or the board sends no public log.
 */
export async function verifyBoard(
  device: LocalDevice,
  board: string,
  { note, calibration, full }: BoardOptions,
): Promise<VerifyReport> {
  const retrying = new RetryingClient((seconds) =>
    note(`${board} asks to wait ${seconds} seconds. Waiting ...`),
  );
  const folder = mkdtempSync(join(tmpdir(), 'opbench-verify-'));
  const asked = { board, client: device.client, retrying };
  const kept = new KeptLogFile(device.environment, board);
  const check = async ({ path, downloaded, etag }: DownloadedLog) => {
    const report = await verifyFile(device, path, { asked, calibration });
    if (report.sound) kept.keep(path, etag);
    return { ...report, downloaded };
  };
  try {
    const news = full ? null : await downloadNews(asked, kept, folder);
    // A file that was kept may be damaged.
    const report = news && (await check(news).catch(nullIfUnreadable));
    if (report?.sound) return report;
    const path = join(folder, 'log.ndjson.gz');
    const etag = await boardsTag(asked);
    await retrying.ask(() => download(device.client, board + PUBLIC_LOG_PATH, path));
    return await check({ path, downloaded: 'all', etag });
  } catch (error) {
    if (!(error instanceof NoPublicLog)) throw error;
    const message = `${board + PUBLIC_LOG_PATH} is not the public log of a board`;
    throw new Failure(EXIT.network, message, 'Check the address.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nullIfUnreadable(error: unknown): null {
  if (error instanceof Failure && error.exitCode === EXIT.usage) return null;
  throw error;
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
