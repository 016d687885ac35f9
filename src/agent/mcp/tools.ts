/** The tools of the local server: the shared ones, and those that need the device. */
import * as z from 'zod';
import {
  READS,
  STRANGERS,
  type Tool,
  discoverPeers,
  named,
  selfImprove,
} from '#core/contract/mcp/tools.ts';
import { CheckedInstallation } from '../device-reports.ts';
import { SubmittedReport } from '../reports.ts';
import { BoundedStatus, ShownPayloads, DetailedScan } from './shortened.ts';

const OwnBoard = z
  .string()
  .optional()
  .describe('The URL of one board. Default: all where this device is enrolled.');

/** The name and texts of a tool whose answers contain text by other people. */
function withStrangers<Name extends Parameters<typeof named>[0]>(name: Name) {
  const texts = named(name);
  return { ...texts, description: `${texts.description} ${STRANGERS}` };
}

const submitTool = {
  ...withStrangers('submit_verified'),
  input: z.strictObject({
    board: OwnBoard,
    dry_run: z
      .boolean()
      .default(false)
      .describe(
        'Sends nothing, and returns the exact text that would be signed; if it is long, a summary and the path of a file with the text.',
      ),
  }),
  output: SubmittedReport.extend(ShownPayloads.shape),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
} as const satisfies Tool;

const discoverPeersTool = {
  ...discoverPeers,
  ...withStrangers('discover_peers'),
} as const satisfies Tool;

const selfImproveTool = {
  ...selfImprove,
  description: `${selfImprove.description} Uses the days on the board, or with \`days\` the logs of this device.`,
} as const satisfies Tool;

const statusTool = {
  ...withStrangers('status'),
  input: z.strictObject({
    board: OwnBoard,
  }),
  output: BoundedStatus,
  annotations: { ...READS, openWorldHint: true },
} as const satisfies Tool;

const scanTool = {
  ...named('scan'),
  input: z.strictObject({
    days: z.int().min(1).max(3660).optional().describe('Only the last N UTC days, today included.'),
    tool: z.string().optional().describe('Only this tool, for example `claude-code`.'),
    model: z.string().optional().describe('Only this model.'),
  }),
  output: DetailedScan,
  annotations: { ...READS, openWorldHint: false },
} as const satisfies Tool;

const doctorTool = {
  ...named('doctor'),
  input: z.strictObject({
    offline: z.boolean().default(false).describe('Do not contact any board.'),
  }),
  output: CheckedInstallation,
  annotations: { ...READS, openWorldHint: true },
} as const satisfies Tool;

export const DEVICE_TOOLS = [
  submitTool,
  discoverPeersTool,
  selfImproveTool,
  statusTool,
  scanTool,
  doctorTool,
] as const;
