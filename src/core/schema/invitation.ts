import * as z from 'zod';
import { line } from './texts.ts';

export const INVITATION_LIMITS = { uses: 1_000, days: 365, label: 100 } as const;
export const INVITATION_DEFAULTS = { uses: 1, days: 14 } as const;

/** What an admin states about a new invitation. */
export const InvitationRequest = z.strictObject({
  /** What it is for. People read it before they join. */
  label: line(INVITATION_LIMITS.label).refine((text) => text !== '', 'must not be empty'),
  /** The cohort of accounts that it creates; null for none. */
  cohort_id: z.string().nullable(),
  /** How many accounts it can create. */
  uses: z.int().min(1).max(INVITATION_LIMITS.uses),
  days: z.int().min(1).max(INVITATION_LIMITS.days),
});
export type InvitationRequest = z.infer<typeof InvitationRequest>;
