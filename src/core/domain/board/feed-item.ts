/** The items of the board's feed. */
import type { ChallengeEntry } from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import type { BoardEntry, WindowName } from '#core/schema/board.ts';

/** The front page's board of a past day, as it was known then. */
export interface DayItem {
  kind: 'day';
  day: string;
  window: WindowName;
  metric: MetricName;
  /** Null for all tools together. */
  tool: string | null;
  /** The first ranked operators who are public now. */
  entries: readonly FeedPlace[];
}

export type FeedPlace = Pick<BoardEntry, 'codename' | 'display_name' | 'interval' | 'rank'> & {
  value: number | null;
};

/** The records that first appeared in one publication. */
export interface RecordsItem {
  kind: 'records';
  records: readonly (Omit<SignalRecord, 'submission'> & { metric: MetricName })[];
}

/** A change in the state of a challenge, or its provisional standings of a day. */
export interface ChallengeItem {
  kind: 'announced' | 'began' | 'cancelled' | 'ended' | 'over' | 'standings';
  id: string;
  title: string;
  description: string;
  metric: MetricName;
  /** The only tool that counts; null for all. */
  tool: string | null;
  first_day: string;
  last_day: string;
  cancelled_reason: string | null;
  /** When submissions stop counting. */
  closes_at: string;
  /** The day of the standings; null for other items. */
  day: string | null;
  /** The first standings of operators who are public now; empty for items without standings. */
  entries: readonly ChallengeEntry[];
}

export type FeedItem = (ChallengeItem | DayItem | RecordsItem) & {
  /** When it happened. */
  at: string;
};

/** The name of an item, unique on its board and the same in every publication. */
export function feedItemName(item: FeedItem): string {
  switch (item.kind) {
    case 'day':
      return `day ${item.day}`;
    case 'records':
      return `records ${item.at}`;
    case 'standings':
      return `challenge ${item.id} ${item.day}`;
    default:
      return `challenge ${item.id} ${item.kind}`;
  }
}

/** The contents of the feed, newest first. */
export interface Feed {
  updated: string;
  items: readonly FeedItem[];
  /** The tools that currently have boards of their own. */
  tools: readonly string[];
}
