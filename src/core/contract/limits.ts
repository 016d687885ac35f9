/** The numbers of the interface, with their units. */

/** Entries on a page of a list. */
export const PAGE_LIMIT = { default: 50, max: 100 } as const;

/** The largest snapshot, after decompression (4 MiB). */
export const SNAPSHOT_LIMIT_BYTES = 4 * 1024 * 1024;

/** The largest body of every other request (64 KiB). */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** Named policies of fixed windows: `quota` requests in `windowSeconds`. */
export const LIMITS = {
  enroll: { quota: 10, windowSeconds: 600 },
  enroll_all: { quota: 200, windowSeconds: 600 },
  login: { quota: 20, windowSeconds: 600 },
} as const;
export type LimitName = keyof typeof LIMITS;
