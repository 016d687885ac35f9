/** The tools of the local server: the shared ones, and those that need the device. */
import * as z from 'zod';
import {
  READS,
  STRANGERS,
  type Tool,
  discoverPeers,
  selfImprove,
} from '#core/contract/mcp/tools.ts';
import { CheckedInstallation } from '../device-reports.ts';
import { SubmittedReport } from '../reports.ts';
import { BoundedStatus, ShownPayloads, DetailedScan } from './shortened.ts';

const OwnBoard = z
  .string()
  .optional()
  .describe('The URL of one board. Default: all where this device is enrolled.');

const submitTool = {
  name: 'submit_verified',
  title: 'Submit signed token counts',
  description: `Uploads token counts to the board: signs and sends the days that are new or have changed. Only counts by day, provider, model and tool leave the device, never prompts, paths or project names. They become public and part of an append-only log, so show the user a run with dry_run first. Sending twice changes nothing. ${STRANGERS}`,
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
  description: `${discoverPeers.description} ${STRANGERS}`,
} as const satisfies Tool;

const selfImproveTool = {
  ...selfImprove,
  description: `${selfImprove.description} Uses the days on the board, or with \`days\` the logs of this device.`,
} as const satisfies Tool;

const statusTool = {
  name: 'status',
  title: 'Rank and pending days',
  description: `The user's rank, rank range, class and notices on each board, what is missing to be ranked, and which days are not sent yet. Sends nothing. ${STRANGERS}`,
  input: z.strictObject({
    board: OwnBoard,
  }),
  output: BoundedStatus,
  annotations: { ...READS, openWorldHint: true },
} as const satisfies Tool;

const scanTool = {
  name: 'scan',
  title: 'Count tokens',
  description:
    'How many tokens AI assistants such as Claude Code used on this device, by day and by model, from their logs. Also lists the folders that were searched. Sends nothing.',
  input: z.strictObject({
    days: z.int().min(1).max(3660).optional().describe('Only the last N UTC days, today included.'),
    tool: z.string().optional().describe('Only this tool, for example `claude-code`.'),
    model: z.string().optional().describe('Only this model.'),
  }),
  output: DetailedScan,
  annotations: { ...READS, openWorldHint: false },
} as const satisfies Tool;

const doctorTool = {
  name: 'doctor',
  title: 'Check this installation',
  description:
    'Finds out what is wrong if something does not work: checks logs, keys, clock and boards of this computer, with advice. Changes nothing.',
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
