/** What all lists have in common: their parameters and the frame of their answers. */
import * as z from 'zod';
import { PAGE_LIMIT } from './limits.ts';

export const Format = z
  .enum(['json', 'csv'])
  .default('json')
  .describe(
    'How the answer is written. CSV has a row for each entry and a column for each member. A list is one cell with `;` between its items, or JSON if its items are objects or contain `;`. `interval` and `rank_range` also have a column for each end: `interval_low`, `interval_high`, `rank_best`, `rank_worst`.',
  );

const LongPageLimit = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_LIMIT.keyed))
  .default(PAGE_LIMIT.default);

const PageLimit = LongPageLimit.describe(
  `Entries on a page: 1 to ${PAGE_LIMIT.max}, with an API key to ${PAGE_LIMIT.keyed}; fewer where they are very long.`,
);

const Cursor = z
  .string()
  .min(1)
  .max(2000)
  .optional()
  .describe(
    'From `next_cursor`, with the other parameters as they were. A cursor of the leaderboard or of a running challenge works while its board stays the same, and at least until two later boards are published.',
  );

/** The parameters of every list. */
export const ListQuery = { limit: PageLimit, cursor: Cursor, format: Format };

/** The same of a list of the caller's own, which needs no API key for long pages. */
export const OwnListQuery = {
  ...ListQuery,
  limit: LongPageLimit.describe(
    `Entries on a page: 1 to ${PAGE_LIMIT.keyed}; fewer where they are very long.`,
  ),
};

/** The frame of a page of a list. */
export function pageOf<Entry extends z.ZodType>(entry: Entry, ofWhat: string) {
  return {
    total: z.int().min(0).describe(`${ofWhat} on all pages together.`),
    entries: z.array(entry).max(PAGE_LIMIT.keyed).describe('Those of this page.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Where the next page begins; null on the last one.'),
  };
}
