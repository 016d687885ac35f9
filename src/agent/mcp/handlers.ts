/** What the tools of this device do: thin over the steps of the loop. */
import type * as z from 'zod';
import { readBoardUrl } from '../board/address.ts';
import { identityOf } from '../device.ts';
import type { Failure } from '../failure.ts';
import { examine } from '../loop/doctor.ts';
import { improveOperator } from '../loop/improve.ts';
import { discoverPeers } from '../loop/peers.ts';
import { scanAndKeep } from '../loop/scan-device.ts';
import { readStatus } from '../loop/status.ts';
import { composeAll, submitAll } from '../loop/submit-all.ts';
import { FINDING_TEXTS } from '../device-reports.ts';
import { type BoardFailure, NOTICE_TEXTS } from '../reports.ts';
import type { Call } from './call.ts';
import { boundedStatus } from './bounded-status.ts';
import { detailedScan } from './detailed-scan.ts';
import { shownPayloads } from './dry-run.ts';
import type { DEVICE_TOOLS } from './tools.ts';

type DeviceTool = (typeof DEVICE_TOOLS)[number];

/** What each tool does, by its name. */
export type Handlers = {
  [Name in DeviceTool['name']]: (
    input: z.output<Extract<DeviceTool, { name: Name }>['input']>,
    call: Call,
  ) => Promise<z.input<Extract<DeviceTool, { name: Name }>['output']>>;
};

export const HANDLERS: Handlers = {
  async submit_verified({ board, dry_run }, { device, progress }) {
    const failed: Failure[] = [];
    const tell = (_: BoardFailure, cause: Failure) => void failed.push(cause);
    const asked = { board: addressOf(board), progress, tell };
    const { report } = await (dry_run ? composeAll : submitAll)(device, asked);
    const isNothing = report.submissions.length + report.payloads.length === 0;
    // A failure at every board is told as that of the first.
    if (failed[0] && isNothing) throw failed[0];
    const shown = dry_run ? shownPayloads(device.environment, report.payloads) : NOTHING_SHOWN;
    return { untrusted: [...NOTICE_TEXTS], ...report, ...shown };
  },

  discover_peers: async ({ board, limit }, { device }) => {
    return discoverPeers(device, identityOf(device, addressOf(board)), limit);
  },

  self_improve: async ({ board, days, limit }, { device, progress }) => {
    return improveOperator(device, { board: addressOf(board), days, limit, progress });
  },

  async status({ board }, { device }) {
    const { report } = await readStatus(device, { board: addressOf(board) });
    return boundedStatus(report);
  },

  async scan(asked, { device, progress }) {
    const scanned = await scanAndKeep(device, progress);
    return detailedScan(scanned, asked, device.nowMs());
  },

  async doctor({ offline }, { device, progress }) {
    return { untrusted: [...FINDING_TEXTS], ...(await examine(device, { offline, progress })) };
  },
};

const NOTHING_SHOWN = { payloads: [], payloads_file: null };

function addressOf(board: string | undefined): string | undefined {
  return board === undefined ? undefined : readBoardUrl(board);
}
