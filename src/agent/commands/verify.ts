import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntriesCheck } from '#core/domain/log-entries-check.ts';
import { Findings } from '#core/domain/log-finding.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import { readBoardUrl } from '../board-url.ts';
import { type Command, type Output, readArguments } from '../command.ts';
import type { Device } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { plainJson } from '../text/plain.ts';
import { download } from '../verify/download.ts';
import { compareKeys, walkLiveLog } from '../verify/live-log.ts';
import { askShown, reportShown } from '../verify/live-boards.ts';
import {
  type KnownEntries,
  type OwnReceipts,
  checkReceipts,
  ownReceipts,
  receiptsOf,
} from '../verify/own-receipts.ts';
import { Patience } from '../verify/patience.ts';
import { NoPublicLog, type ReadLog, readLog } from '../verify/read-log.ts';
import { type Compared, type Report, reportOf, reportText } from '../verify/report.ts';

export const verify: Command = {
  help: `opbench verify FILE|URL [--json]: check a board's public log, by itself and without
trusting the board: the chain of hashes, who signed what, every receipt; then replay
it and recompute each published board, bit for bit. URL is the address of a board,
whose live log is compared too, and whose boards as readers see them first; FILE is what "opbench-board export" wrote, or a saved
/log.ndjson.gz. Where this device is enrolled, its own receipts must stand in the log.

Example: opbench verify https://bench.example.org

What cannot be checked is counted: entries that their owners erased, or that belong to
operators who are anonymous, private or have opted out, and what nobody signed.

--json prints {"sound", "source", "base_url", "log_index", "as_of", "entries",
"submissions", "boards", "live", "own_receipts", "notes", "findings", "findings_total"}.
Exit codes: 0 sound, 3 not sound, 1 usage, 4 network.
`,
  async run(device, args, output) {
    const { words, json } = readArguments(args, { options: ['json'], words: 1 });
    const [source] = words;
    if (source === undefined) throw new Failure(EXIT.usage, 'verify takes a FILE or a URL');
    // Any scheme: what is no address of a board is refused as one, and not looked for on the disk.
    const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(source);
    const report = isUrl
      ? await verifyBoard(device, readBoardUrl(source), output)
      : await verifyFile(device, source, null);
    output.result(json ? plainJson(report) : reportText(report));
    return report.sound ? EXIT.ok : EXIT.refused;
  },
};

async function verifyBoard(device: Device, board: string, { note }: Output): Promise<Report> {
  const patience = new Patience((seconds) => note(`${board} asks to wait ${seconds} seconds`));
  const folder = mkdtempSync(join(tmpdir(), 'opbench-verify-'));
  try {
    const path = join(folder, 'log.ndjson.gz');
    await patience.ask(() => download(device.client, board + PUBLIC_LOG_PATH, path));
    return await verifyFile(device, path, { board, client: device.client, patience });
  } catch (error) {
    if (!(error instanceof NoPublicLog)) throw error;
    const message = `What ${board + PUBLIC_LOG_PATH} sends is no public log of a board`;
    throw new Failure(EXIT.network, message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Live = Parameters<typeof walkLiveLog>[0];

async function verifyFile(device: Device, path: string, asked: Live | null): Promise<Report> {
  const findings = new Findings();
  const own = ownReceipts(device.keystore);
  const wanted = new Set(own.flatMap(({ receipts }) => receipts.map(({ log_index }) => log_index)));
  const read = await readLog(path, findings, wanted);
  const { header, entries } = read.check;
  const last = lastOf(entries);
  const live = asked && entries && (await compareLive(asked, entries, read, findings));
  // Without the live log, what came later than the file cannot be looked up.
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

/** How many receipts were looked up; null where this device is not enrolled. */
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
  return { log_index, ...(entries?.chain.counts() ?? { erased: 0, withheld: 0 }) };
}

async function compareLive(
  asked: Live,
  entries: EntriesCheck,
  { kept }: ReadLog,
  findings: Findings,
): Promise<Compared> {
  await compareKeys(asked, entries, findings);
  // Before the log: what hides somebody from the boards then stands in it.
  const boards = await askShown(asked, kept);
  const log = await walkLiveLog(asked, entries, findings);
  reportShown(boards, log.isSeenOtherwise, findings);
  return { ...log, boards };
}
