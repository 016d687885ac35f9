/** The shapes of `--json` and of MCP tools, for commands that look at this device. */
import * as z from 'zod';
import { SKIP_REASONS } from '#core/readers/shared/reader.ts';
import { TokenCount } from '#core/schema/scalars.ts';
import { CONFIG_KEYS } from './config.ts';
import { EXIT } from './failure.ts';
import { Pending, PublicLogReport, Untrusted } from './reports.ts';

const Pillar = TokenCount.nullable();

const TokenTotals = z
  .strictObject({
    input: TokenCount,
    output: TokenCount,
    cache_write: Pillar,
    cache_read: Pillar,
    total: TokenCount.describe('The sum of the four.'),
  })
  .describe('Tokens; a token type that no log reports is null.');

const SourceReport = z.strictObject({
  tool: z.string(),
  roots: z
    .array(z.string())
    .describe('The folders that were searched, including those that do not exist.'),
  files: z.int().min(0),
  events: z.int().min(0).describe('Number of responses, each counted once.'),
  skipped_lines: z.int().min(0).describe('Number of skipped lines.'),
  skipped: z
    .partialRecord(z.enum(SKIP_REASONS), z.int().min(1))
    .describe('The same by reason. `too_much` counts responses, and `spans_days` sessions.'),
  unreadable: z
    .array(z.string())
    .describe('Files and folders that could not be read, with the reason.'),
});
export type SourceReport = z.infer<typeof SourceReport>;

export const ScanReport = z.strictObject({
  totals: TokenTotals,
  days: z.int().min(0).describe('Number of days with tokens.'),
  sources: z.array(SourceReport).describe('One for each tool.'),
  notes: z.array(z.string()).describe('Reasons why scans are slow or incomplete.'),
});
export type ScanReport = z.infer<typeof ScanReport>;

const FolderReport = z.strictObject({ path: z.string(), writable: z.boolean() });
export type FolderReport = z.infer<typeof FolderReport>;

const LogReport = z.strictObject({
  ...SourceReport.shape,
  roots: z.array(z.strictObject({ path: z.string(), exists: z.boolean() })),
});
export type LogReport = z.infer<typeof LogReport>;

const UncountedReport = z
  .strictObject({
    name: z.string(),
    path: z.string().describe('A folder of it on this device.'),
    reason: z.string(),
  })
  .describe('An assistant whose logs do not contain the tokens of all requests.');
export type UncountedReport = z.infer<typeof UncountedReport>;

const BoardReport = z
  .strictObject({
    board: z.string(),
    name: z.string().nullable(),
    codename: z.string().nullable(),
    keyid: z.string().nullable(),
    key: z.enum(['fine', 'revoked', 'unknown', 'refused']).nullable(),
    reachable: z.boolean().nullable(),
    version: z.string().nullable().describe('The version of opbench that it serves.'),
    clock_skew_ms: z
      .number()
      .nullable()
      .describe("How far this device's clock is ahead of the board's, in milliseconds."),
    last_submission_at: z.string().nullable(),
    pending: Pending,
    proxy: z
      .string()
      .nullable()
      .describe('The proxy for this board, without credentials; null if there is none.'),
    log: PublicLogReport.nullable().describe(
      'The last check of its public log; null if there was none.',
    ),
  })
  .describe('One board. Null means not asked or unknown.');
export type DeviceBoardReport = z.infer<typeof BoardReport>;

/** The result of one run of the timer: a line of its log. */
export const TimerRun = z.looseObject({
  at: z.iso.datetime(),
  duration_ms: z.number(),
  version: z.string(),
  exit: z.enum(EXIT),
  skipped: z
    .boolean()
    .describe('Whether this run did nothing because another run was in progress.'),
  message: z.string().nullable().describe('Why the whole run failed.'),
  boards: z.array(
    z.looseObject({
      board: z.string().nullable(),
      records: z.number().describe('Number of daily counts that the board accepted.'),
      exit: z.enum(EXIT),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type TimerRun = z.infer<typeof TimerRun>;

export const TimerName = z.enum(['systemd', 'launchd', 'task-scheduler', 'cron']);
export type TimerName = z.infer<typeof TimerName>;

const TimerReport = z.strictObject({
  state: z.enum(['on', 'off']),
  timer: TimerName.nullable(),
  node: z.string().nullable().describe('Path of the Node.js that runs it; null if it is off.'),
  file: z.string().nullable().describe('Path of the program that it runs.'),
  since: z.string().nullable(),
  log: z.string().describe('Path of the log, with one line for each run.'),
  last_run: TimerRun.nullable(),
  last_good_at: z.string().nullable().describe('Time of the last successful run.'),
});
export type TimerReport = z.infer<typeof TimerReport>;

const Finding = z.strictObject({
  severity: z.enum(['problem', 'warning']),
  exit: z.enum(EXIT).describe('The exit code of a problem; 0 for a warning.'),
  text: z.string(),
  advice: z.string().describe('What to do.'),
});
export type FindingReport = z.infer<typeof Finding>;

const ProgramReport = z.strictObject({
  file: z.string(),
  version: z.string(),
  node: z.strictObject({
    path: z.string(),
    version: z.string(),
    zstd: z.boolean(),
    sqlite: z.boolean(),
  }),
  copy: z.strictObject({
    path: z.string(),
    exists: z.boolean(),
    version: z.string().nullable(),
  }),
});
export type ProgramReport = z.infer<typeof ProgramReport>;

const LedgerReport = z.strictObject({
  path: z.string(),
  state: z
    .enum(['fine', 'damaged', 'unsaved', 'blocked'])
    .describe('"blocked" means that a newer version wrote it, or that it cannot be read.'),
  responses: z.int().min(0),
  daily_counts: z.int().min(0),
  only_here: z
    .strictObject({ responses: z.int().min(0), tokens: TokenCount })
    .describe('Counts that are no longer in the logs.'),
  carried: z
    .array(
      z.strictObject({
        board: z.string().nullable().describe('Null for counts from a damaged file of the ledger.'),
        daily_counts: z.int().min(1),
        tokens: TokenCount,
      }),
    )
    .describe('Daily counts, or parts of them, for which no responses are known.'),
  set_aside: z.array(z.string()).describe('Damaged files, which were renamed.'),
});
export type LedgerReport = z.infer<typeof LedgerReport>;

const ConfigReport = z.strictObject({
  path: z.string(),
  exists: z.boolean(),
  settings: z.array(
    z.strictObject({
      key: z.enum(CONFIG_KEYS),
      values: z.array(z.string()),
      source: z.enum(['environment', 'file']).nullable().describe('Null if it is not set.'),
    }),
  ),
});
export type ConfigReport = z.infer<typeof ConfigReport>;

export const DoctorReport = z.strictObject({
  program: ProgramReport,
  config: ConfigReport.describe('The config file, and the settings that apply.'),
  state: FolderReport.describe('The folder with keys and receipts.'),
  index: FolderReport.describe('The folder with the index of logs.'),
  logs: z.array(LogReport).describe('One for each tool.'),
  uncounted: z.array(UncountedReport),
  ledger: LedgerReport,
  boards: z.array(BoardReport),
  auto: TimerReport.describe('The timer.'),
  repaired: z.array(z.string()).describe('What --repair did.'),
  findings: z.array(Finding).describe('Problems, then warnings; empty if there are none.'),
});
export type DoctorReport = z.infer<typeof DoctorReport>;

/** The members of {@linkcode CheckedInstallation} that may contain text of boards. */
export const FINDING_TEXTS = ['name', 'codename', 'text', 'advice', 'origin'];

/** The report for agents. */
export const CheckedInstallation = z.strictObject({ untrusted: Untrusted, ...DoctorReport.shape });
