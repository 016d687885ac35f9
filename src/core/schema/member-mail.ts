/** Email that members choose to receive. */
import * as z from 'zod';

export const MailKind = z
  .enum(['weekly', 'overtaken', 'record', 'challenge', 'silent'])
  .describe('A kind of email that members can turn on.');
export type MailKind = z.infer<typeof MailKind>;

/** After how many days without a submission a device counts as silent. */
export const SILENT_DAYS = [3, 7, 14] as const;
export const DEFAULT_SILENT_DAYS = 7;
