/** A submission on hold, with what an admin compares to decide about it. */
import type { Role } from './account.ts';
import type { Pillars } from './usage.ts';

export type Measure = 'output' | 'total' | 'yield';

export interface EvidenceDay {
  date: string;
  /** What counts for the account on that day; null for nothing. */
  own: number | null;
  /** What the submission says; null if it does not contain the day. */
  held: number | null;
}

export interface EvidenceLine {
  label: string;
  value: number;
}

export interface Evidence {
  measure: Measure;
  /** The only tool that was compared; null for all. */
  tool: string | null;
  /** The most recent days, oldest first. */
  days: EvidenceDay[];
  /** Days of everyone, or the check's limits. Empty if the board has too few operators. */
  lines: EvidenceLine[];
}

export interface CopiedDay {
  day: string;
  tool: string;
  /** Input, output and cache reads of the submission, and of the other account. */
  held: Counts;
  other: Counts;
}
type Counts = Pick<Pillars, 'cache_read' | 'input' | 'output'>;

interface HeldSubmission {
  id: string;
  log_index: number;
  received_at: string;
  /** The number of records. */
  records: number;
  /** The tools, as JSON. */
  tools: string;
  /** The number of days with records. */
  days: number;
  first_day: string;
  last_day: string;
}

export interface Copies {
  /** The other account's codename; null if the account was deleted. */
  codename: string | null;
  days: CopiedDay[];
  more: number;
}

/** The counts of a day with a tool. */
interface CountedDay extends Pillars {
  day: string;
  tool: string;
}

/** What a check noted about an account without putting anything on hold. */
export interface Note {
  codename: string;
  found_at: string;
  text: string;
}

export interface Deadline {
  id: string;
  title: string;
  closes_at: string;
}

export interface PendingDecision {
  /** Names the submission and the hold in forms, so that a later decision is noticed. */
  ticket: string;
  submission: HeldSubmission;
  account: { codename: string; created_at: string; role: Role };
  /** Null for a self-report. */
  device: { label: string; enrolled_at: string } | null;
  isFirst: boolean;
  heldAt: string;
  /** The admin's reason; null if a check put it on hold. */
  reason: string | null;
  findings: { text: string; isHold: boolean }[];
  evidence: Evidence;
  copies: Copies[];
  /** The days whose counts repeat each other or end in zeros; empty if no check found any. */
  patterns: { days: CountedDay[]; more: number };
  /** The challenge that counts these days and closes first; null for none. */
  deadline: Deadline | null;
}
