/** Where an operator stands, shortened for agents: a board may send more than fits their context window. */
import * as z from 'zod';
import { NOTICE_TEXTS, StatusReport, Untrusted } from '../reports.ts';

/** The most notices, windows and withdrawn days that are shown of one board. */
const MAX_SHOWN = 20;

export const BoundedStatus = z.strictObject({
  untrusted: Untrusted,
  ...StatusReport.shape,
  left_out: z
    .int()
    .min(0)
    .describe(
      `Notices, windows and withdrawn days beyond the first ${MAX_SHOWN} of a board; "opbench status" shows all.`,
    ),
});
type BoundedStatus = z.infer<typeof BoundedStatus>;

export function boundedStatus({ boards, copied, failures }: StatusReport): BoundedStatus {
  let left_out = 0;
  const first = <One>(all: readonly One[]): One[] => {
    left_out += Math.max(0, all.length - MAX_SHOWN);
    return all.slice(0, MAX_SHOWN);
  };
  const shown = boards.map(({ standing, withdrawn_days, ...rest }) => {
    const known = { ...rest, withdrawn_days: withdrawn_days && first(withdrawn_days) };
    if (standing === null) return { ...known, standing };
    const [standings, notices] = [first(standing.standings), first(standing.notices)];
    return { ...known, standing: { ...standing, standings, notices } };
  });
  return { untrusted: [...NOTICE_TEXTS], boards: shown, copied, failures, left_out };
}
