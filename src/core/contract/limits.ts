/** The limits of the API, with their units. */
import limits from './limits.json' with { type: 'json' };

/** Entries per page of a list; `keyed` is the maximum with an API key. */
export const PAGE_LIMIT = { default: 50, max: 100, keyed: 1000 } as const;

/** The largest snapshot, after decompression (4 MiB). */
export const SNAPSHOT_LIMIT_BYTES = 4 * 1024 * 1024;

/** The largest pasted text (1 MiB), and the largest body that contains it. JSON escapes quotes, so the body is larger. */
export const INGEST_LIMIT_BYTES = 1024 * 1024;
export const INGEST_BODY_LIMIT_BYTES = 2 * INGEST_LIMIT_BYTES;

/** The largest body of every other request (64 KiB). */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** The largest message to the MCP server: the largest snapshot plus the rest of the message. */
export const MCP_LIMIT_BYTES = SNAPSHOT_LIMIT_BYTES + BODY_LIMIT_BYTES;

/** The largest picture (2 MiB). */
export const AVATAR_LIMIT_BYTES = 2 * 1024 * 1024;
/** The largest form with a picture. */
export const AVATAR_FORM_BYTES = AVATAR_LIMIT_BYTES + 16 * 1024;

/** Limits of one account at a time. The oldest messages and codes are removed when a new one is added. */
export const ACCOUNT_LIMITS = limits.account;

/** A rate limit: `quota` units per fixed window. */
export interface Limit {
  quota: number;
  windowSeconds: number;
  /** What is counted. */
  unit: 'content-bytes' | 'requests';
  /** Whose requests share the limit. */
  of: 'address' | 'device' | 'key' | 'mailbox' | 'network' | 'operator';
  purpose: string;
}

export type LimitName = keyof typeof limits.policies;

/** The rate limits by name, with their default values. */
export const LIMITS = limits.policies as Limits;

/** The rate limits with their current values. */
export type Limits = Readonly<Record<LimitName, Limit>>;

/** Settings of an admin, in requests per minute. */
export interface LimitSettings {
  /** Public reads per address. */
  publicReads: number;
  /** Writes per operator. */
  writes: number;
}

/**
 * Returns the rate limits of a board. Limits for pages, the MCP server and uploads scale with public reads, and limits
 * for snapshots scale with writes, in the proportions of the defaults.
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
