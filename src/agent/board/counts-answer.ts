/** What this command reads of the daily counts that a board lists; see `answers.ts`. */
import * as z from 'zod';

const Pillar = z.number().nullable();
const FourPillars = {
  input: z.number(),
  output: z.number(),
  cache_write: Pillar,
  cache_read: Pillar,
};
const DailyCount = z.looseObject({
  device: z.string(),
  label: z.string(),
  day: z.string(),
  tool: z.string(),
  provider: z.string(),
  model: z.string(),
  ...FourPillars,
  fingerprint: z.string().nullable(),
  stated_at: z.string(),
  submission: z.string(),
  counted: z.looseObject(FourPillars),
  same_as: z.string().nullable(),
});
/** What a device of the account stated of one day, tool, provider and model. */
export type DailyCount = z.infer<typeof DailyCount>;

export const CountsAnswer = z.looseObject({
  entries: z.array(DailyCount),
  next_cursor: z.string().nullable(),
});
export type CountsAnswer = z.infer<typeof CountsAnswer>;
