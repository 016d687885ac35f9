/** The numbers of the interface, with their units. */
import limits from './limits.json' with { type: 'json' };

/** Entries on a page of a list; `keyed` is the most with an API key. */
export const PAGE_LIMIT = { default: 50, max: 100, keyed: 1000 } as const;

/** The largest snapshot, after decompression (4 MiB). */
export const SNAPSHOT_LIMIT_BYTES = 4 * 1024 * 1024;

/** The largest text that is read for usage (1 MiB), and the largest body that holds it: JSON escapes quotes. */
export const INGEST_LIMIT_BYTES = 1024 * 1024;
export const INGEST_BODY_LIMIT_BYTES = 2 * INGEST_LIMIT_BYTES;

/** The largest body of every other request (64 KiB). */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** The largest message to the Model Context Protocol server: the largest snapshot, and what is around it. */
export const MCP_LIMIT_BYTES = SNAPSHOT_LIMIT_BYTES + BODY_LIMIT_BYTES;

/** The largest picture (2 MiB). */
export const AVATAR_LIMIT_BYTES = 2 * 1024 * 1024;
/** The largest form with a picture. */
export const AVATAR_FORM_BYTES = AVATAR_LIMIT_BYTES + 16 * 1024;

/** The most that one account may have at a time. Of contact messages and codes, the oldest make room. */
export const ACCOUNT_LIMITS = limits.account;

/** A policy: so many `unit`s in a fixed window. */
export interface Limit {
  quota: number;
  windowSeconds: number;
  /** What is counted. */
  unit: 'content-bytes' | 'requests';
  /** Whose requests count together. */
  of: 'address' | 'device' | 'key' | 'mailbox' | 'network' | 'operator';
  purpose: string;
}

export type LimitName = keyof typeof limits.policies;

/** The named policies, with the numbers of a board whose admin set nothing. */
export const LIMITS = limits.policies as Limits;

/** The policies with their numbers, as they are in force. */
export type Limits = Readonly<Record<LimitName, Limit>>;

/** What an admin may set, in requests a minute. */
export interface LimitSettings {
  /** Public reads of an address. */
  publicReads: number;
  /** Writes of an operator. */
  writes: number;
}

/**
 * The policies of a board: pages, the MCP server and uploads follow the public reads, and snapshots the
 * writes, in the proportions of the defaults.
 */
export function limitsOf({ publicReads, writes }: LimitSettings): Limits {
  const scaled = (name: LimitName, usual: Limit, set: number): Limit => {
    const { quota } = LIMITS[name];
    return { ...LIMITS[name], quota: Math.max(1, Math.floor((quota * set) / usual.quota)) };
  };
  const { public: reads, writes: changes } = LIMITS;
  return {
    ...LIMITS,
    public: { ...reads, quota: publicReads },
    pages: scaled('pages', reads, publicReads),
    mcp: scaled('mcp', reads, publicReads),
    uploads: scaled('uploads', reads, publicReads),
    writes: { ...changes, quota: writes },
    snapshots: scaled('snapshots', changes, writes),
    device: scaled('device', changes, writes),
    account: scaled('account', changes, writes),
  };
}
