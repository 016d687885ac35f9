/** Settings for metrics, scheduled backups and witnesses. Read by `config.ts` only. */
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { type WitnessPolicy, readWitnessPolicy } from './witness-policy.ts';

/** `/privacy` promises that backups are deleted after 30 days, and there is one each day. */
const MAX_KEPT = 30;
const DEFAULT_KEPT = 14;
const DEFAULT_TIME = '03:20';
const LOOPBACK = '127.0.0.1';

const ADDRESS =
  'must be a port from 0 to 65535, or an IP address and a port, such as 9464, 127.0.0.1:9464 or [::1]:9464';
const KEPT = `must be a whole number from 1 to ${MAX_KEPT}, such as ${DEFAULT_KEPT}`;

export const OPERATION_SETTINGS = {
  METRICS_LISTEN: z.string().transform(listenAddressIn).optional(),
  BACKUP_DIR: z
    .string()
    .refine(isAbsolute, 'must be the absolute path of a folder, such as /var/backups/opbench')
    .optional(),
  BACKUP_KEEP: z.coerce.number(KEPT).int(KEPT).min(1, KEPT).max(MAX_KEPT, KEPT).optional(),
  BACKUP_AT: z
    .string()
    .regex(
      /^(?:[01]\d|2[0-3]):[0-5]\d$/,
      'must be a time in UTC from 00:00 to 23:59, such as 03:20',
    )
    .optional(),
  WITNESS_POLICY: z
    .string()
    .refine(isAbsolute, 'must be the absolute path of a policy file')
    .transform(readWitnessPolicy)
    .optional(),
};

type Settings = z.output<z.ZodObject<typeof OPERATION_SETTINGS>>;

export interface ListenAddress {
  host: string;
  port: number;
}

export interface BackupConfig {
  /** The absolute path of the folder. */
  folder: string;
  /** How many backups are kept. */
  keep: number;
  /** The time of day in UTC, in minutes. */
  atMinutes: number;
}

export interface OperationConfig {
  /** Where metrics are served; null if they are not. */
  metrics: ListenAddress | null;
  /** When the server backs up itself; null if it does not. */
  backup: BackupConfig | null;
  /** The witnesses of the log; null for none. */
  witnessPolicy: WitnessPolicy | null;
}

export function operationConfig(settings: Settings): OperationConfig {
  const { METRICS_LISTEN, BACKUP_DIR: folder, BACKUP_KEEP, BACKUP_AT = DEFAULT_TIME } = settings;
  const [hours = 0, minutes = 0] = BACKUP_AT.split(':').map(Number);
  const backup = { keep: BACKUP_KEEP ?? DEFAULT_KEPT, atMinutes: hours * 60 + minutes };
  return {
    metrics: METRICS_LISTEN ?? null,
    witnessPolicy: settings.WITNESS_POLICY ?? null,
    backup: folder === undefined ? null : { folder, ...backup },
  };
}

/** Settings that have no effect without BACKUP_DIR. */
export function idleBackupSettings(settings: Settings): string[] {
  if (settings.BACKUP_DIR !== undefined) return [];
  const names = (['BACKUP_KEEP', 'BACKUP_AT'] as const).filter((name) => settings[name]);
  return names.map((name) => `${name} (BACKUP_DIR is not set)`);
}

function listenAddressIn(text: string, check: z.RefinementCtx): ListenAddress {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[(.+)\]|(.+)):)?(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? LOOPBACK;
  const isAddress = isIP(host) === (bracketed === undefined ? 4 : 6);
  if (digits === '' || Number(digits) > 65_535 || !isAddress || host.includes('%')) {
    check.addIssue(ADDRESS);
    return z.NEVER;
  }
  return { host, port: Number(digits) };
}
