/** The numbers of the interface, with their units. */

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
export const ACCOUNT_LIMITS = {
  active_devices: { most: 50, what: 'Devices that may sign.' },
  device_keys: {
    most: 1000,
    what: 'Keys of devices that were ever enrolled, revoked ones included.',
  },
  stored_bytes: {
    most: 512 * 1024 * 1024,
    what: 'Bytes of all submissions in the log, withdrawn ones included.',
  },
  sign_in_methods: { most: 10, what: 'Sign-in methods.' },
  sessions: { most: 100, what: 'Browsers that are signed in. The oldest session ends first.' },
  applications: { most: 100, what: 'Connected apps. Access of the oldest ends first.' },
  enrollment_codes: { most: 20, what: 'Codes that were not used. The oldest is dropped first.' },
  contact_messages: { most: 200, what: 'Messages to the admin. The oldest is dropped first.' },
} as const;

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

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** The named policies, with the numbers of a board whose admin set nothing. */
export const LIMITS = {
  public: {
    quota: 60,
    windowSeconds: MINUTE,
    unit: 'requests',
    of: 'address',
    purpose:
      'Public reads, searches on pages among them, and what is computed for its caller; an API key has a limit of its own instead.',
  },
  key: {
    quota: 600,
    windowSeconds: MINUTE,
    unit: 'requests',
    of: 'key',
    purpose: 'Public reads with an API key, unless the keeper gave it another number.',
  },
  pages: {
    quota: 600,
    windowSeconds: MINUTE,
    unit: 'requests',
    of: 'address',
    purpose: "Everything else: pages, files, and calls before they are known to be an operator's.",
  },
  mcp: {
    quota: 60,
    windowSeconds: MINUTE,
    unit: 'requests',
    of: 'address',
    purpose: 'Messages to the Model Context Protocol server, calls of tools among them.',
  },
  uploads: {
    quota: 20,
    windowSeconds: MINUTE,
    unit: 'requests',
    of: 'address',
    purpose:
      'Refused requests with a body of more than 64 KiB, after decompression. Accepted ones do not count.',
  },
  writes: {
    quota: 20,
    windowSeconds: MINUTE,
    unit: 'requests',
    of: 'operator',
    purpose: 'Writes.',
  },
  visibility: {
    quota: 10,
    windowSeconds: 10 * MINUTE,
    unit: 'requests',
    of: 'operator',
    purpose:
      'Writes that show everybody more of an operator, such as leaving a private mode or changing the profile. Hiding never waits for this limit.',
  },
  visibility_day: {
    quota: 40,
    windowSeconds: DAY,
    unit: 'requests',
    of: 'operator',
    purpose: 'The same writes in a day.',
  },
  snapshots: {
    quota: 4,
    windowSeconds: MINUTE,
    unit: 'requests',
    of: 'operator',
    purpose:
      'Accepted snapshots, and refused or tried ones of more than 64 KiB. Smaller refused ones count as writes only.',
  },
  device: {
    quota: 100,
    windowSeconds: DAY,
    unit: 'requests',
    of: 'device',
    purpose: 'Accepted snapshots of one device.',
  },
  device_bytes: {
    quota: 64 * 1024 * 1024,
    windowSeconds: DAY,
    unit: 'content-bytes',
    of: 'device',
    purpose: 'Bytes of the accepted snapshots of one device, after decompression.',
  },
  account: {
    quota: 1000,
    windowSeconds: DAY,
    unit: 'requests',
    of: 'operator',
    purpose: 'Accepted snapshots of all devices of an account.',
  },
  account_bytes: {
    quota: 256 * 1024 * 1024,
    windowSeconds: DAY,
    unit: 'content-bytes',
    of: 'operator',
    purpose: 'Bytes of the accepted snapshots of all devices of an account, after decompression.',
  },
  enroll: {
    // Each enrollment may ask for the known devices first.
    quota: 20,
    windowSeconds: 10 * MINUTE,
    unit: 'requests',
    of: 'address',
    purpose: 'Enrollments, and requests for the devices that an account already has.',
  },
  enroll_account: {
    quota: 50,
    windowSeconds: DAY,
    unit: 'requests',
    of: 'operator',
    purpose: 'New keys of an account.',
  },
  login: {
    quota: 20,
    windowSeconds: 10 * MINUTE,
    unit: 'requests',
    of: 'address',
    purpose: 'Sign-ins.',
  },
  authorize: {
    quota: 60,
    windowSeconds: 10 * MINUTE,
    unit: 'requests',
    of: 'address',
    purpose: 'Authorizations that begin, those of the board itself among them.',
  },
  mail: {
    quota: 5,
    windowSeconds: 10 * MINUTE,
    unit: 'requests',
    of: 'address',
    purpose: 'Sign-in mails that one address asks for.',
  },
  mailbox: {
    quota: 20,
    windowSeconds: 60 * MINUTE,
    unit: 'requests',
    of: 'mailbox',
    purpose: 'Sign-in mails to one mailbox; one address can ask for a quarter of them.',
  },
  mailbox_known: {
    quota: 5,
    windowSeconds: 60 * MINUTE,
    unit: 'requests',
    of: 'mailbox',
    purpose:
      'More sign-in mails to one mailbox, for browsers that signed in with it before. They count once another limit of sign-in mails is reached.',
  },
  contact: {
    quota: 5,
    windowSeconds: 10 * MINUTE,
    unit: 'requests',
    of: 'operator',
    purpose: 'Messages to the keeper, which are writes too.',
  },
  register: {
    quota: 30,
    windowSeconds: 60 * MINUTE,
    unit: 'requests',
    of: 'network',
    purpose:
      'Registrations of OAuth clients, and client metadata documents that the board fetches. A network is an IPv4 address, or the first 56 bits of an IPv6 address.',
  },
} as const satisfies Record<string, Limit>;
export type LimitName = keyof typeof LIMITS;

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
  const scaled = (
    name: 'account' | 'device' | 'mcp' | 'pages' | 'snapshots' | 'uploads',
    by: number,
    of: number,
  ) => {
    const quota = Math.max(1, Math.floor((LIMITS[name].quota * of) / by));
    return { ...LIMITS[name], quota };
  };
  const { public: reads, writes: changes } = LIMITS;
  return {
    ...LIMITS,
    public: { ...reads, quota: publicReads },
    pages: scaled('pages', reads.quota, publicReads),
    mcp: scaled('mcp', reads.quota, publicReads),
    uploads: scaled('uploads', reads.quota, publicReads),
    writes: { ...changes, quota: writes },
    snapshots: scaled('snapshots', changes.quota, writes),
    device: scaled('device', changes.quota, writes),
    account: scaled('account', changes.quota, writes),
  };
}
