/** The tools of the local server, implemented with the steps in `loop`. */
import type * as z from 'zod';
import { readBoardUrl } from '../board/address.ts';
import type { Progress } from '../command.ts';
import { type LocalDevice, identityOf } from '../device.ts';
import { FINDING_TEXTS } from '../device-reports.ts';
import { examine } from '../doctor/run-doctor.ts';
import type { Failure } from '../failure.ts';
import { improveOperator } from '../loop/improve.ts';
import { discoverPeers } from '../loop/peers.ts';
import { scanAndKeep } from '../loop/scan-device.ts';
import { readStatus } from '../loop/status.ts';
import { composeAll, submitAll } from '../loop/submit-all.ts';
import { type BoardFailure, NOTICE_TEXTS } from '../reports.ts';
import { boundedStatus, detailedScan, shownPayloads } from './shortened.ts';
import type { DEVICE_TOOLS } from './tools.ts';

/** One call of a tool. */
export interface ToolCall {
  device: LocalDevice;
  /** Reports progress to the client. */
  progress: Progress;
  /** The board of calls that name none; undefined for all, or the only one. */
  home: string | undefined;
}

type DeviceTool = (typeof DEVICE_TOOLS)[number];

type Handlers = {
  [Name in DeviceTool['name']]: (
    input: z.output<Extract<DeviceTool, { name: Name }>['input']>,
    call: ToolCall,
  ) => Promise<z.input<Extract<DeviceTool, { name: Name }>['output']>>;
};

/** The handler of each tool by name. */
export const HANDLERS: Handlers = {
  async submit_verified({ board, dry_run }, { device, progress, home }) {
    const failed: Failure[] = [];
    const tell = (_: BoardFailure, cause: Failure) => void failed.push(cause);
    const asked = { board: addressOf(board) ?? home, progress, tell };
    const { report } = await (dry_run ? composeAll : submitAll)(device, asked);
    const isNothing = report.submissions.length + report.payloads.length === 0;
    // If every board failed, the first failure is reported.
    if (failed[0] && isNothing) throw failed[0];
    const shown = dry_run ? shownPayloads(device.environment, report.payloads) : NOTHING_SHOWN;
    return { untrusted: [...NOTICE_TEXTS], ...report, ...shown };
  },

  discover_peers: async ({ board, limit }, { device, home }) => {
    return discoverPeers(device, identityOf(device, addressOf(board) ?? home), limit);
  },

  self_improve: async ({ board, days, limit }, { device, progress, home }) => {
    // Without an enrollment, and with days, the logs of this device are enough.
    const isEnrolled = home !== undefined && device.keystore.identity(home) !== null;
    const usual = isEnrolled && days === undefined ? home : undefined;
    return improveOperator(device, { board: addressOf(board) ?? usual, days, limit, progress });
  },

  async status({ board }, { device, home }) {
    const { report } = await readStatus(device, { board: addressOf(board) ?? home });
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
