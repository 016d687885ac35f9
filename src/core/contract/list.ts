/** The parameters and response members that all lists have in common. */
import * as z from 'zod';
import { PAGE_LIMIT } from './limits.ts';

export const Format = z
  .enum(['json', 'csv'])
  .default('json')
  .describe(
    'The format of the response. CSV has a row for each entry and a column for each member. A list is one cell with `;` between its items, or JSON if its items are objects or contain `;`. `interval` and `rank_range` also have a column for each bound: `interval_low`, `interval_high`, `rank_best`, `rank_worst`.',
  );

const LongPageLimit = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_LIMIT.keyed))
  .default(PAGE_LIMIT.default);

const PageLimit = LongPageLimit.describe(
  `Entries per page: 1 to ${PAGE_LIMIT.max}, with an API key up to ${PAGE_LIMIT.keyed}. Pages of very long entries have fewer.`,
);

const Cursor = z
  .string()
  .min(1)
  .max(2000)
  .optional()
  .describe(
    'The `next_cursor` of the previous page; keep the other parameters. A cursor of the leaderboard or a running challenge works at least until two newer boards have been published.',
  );

/** The parameters of every list. */
export const ListQuery = { limit: PageLimit, cursor: Cursor, format: Format };

/** The parameters of a list of the caller's own data, which allows long pages without an API key. */
export const OwnListQuery = {
  ...ListQuery,
  limit: LongPageLimit.describe(
    `Entries per page: 1 to ${PAGE_LIMIT.keyed}. Pages of very long entries have fewer.`,
  ),
};

/** The members of a page of a list. */
export function pageOf<Entry extends z.ZodType>(entry: Entry, ofWhat: string) {
  return {
    total: z.int().min(0).describe(`${ofWhat} on all pages.`),
    entries: z.array(entry).max(PAGE_LIMIT.keyed).describe('The entries of this page.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('The cursor of the next page; null on the last page.'),
  };
}
