import { wholePercent } from '#core/domain/text/figure.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { UnrankedReason } from '#core/schema/board.ts';
import type { Reason } from '../board/answers.ts';
import { counted, figure } from './figures.ts';

type Code = UnrankedReason['code'];

/** The unit of each requirement. */
const AMOUNTS: Partial<Record<Code, string>> = {
  active_days_low: 'active day',
  total_low: 'token',
  output_low: 'output token',
};

const WORDS: Partial<Record<Code, string>> = {
  metric_undefined: 'yield is undefined',
  interval_undefined: 'fresh input tokens: without them, yield has no interval',
  hidden: 'the admin has hidden your account',
  private: 'your account is private',
};

/** The share that is needed, and the one that is there, in percent. */
const SHARES: Partial<Record<Code, (needed: string, there: string) => string>> = {
  coverage_low: (needed, there) =>
    `${needed} of your output from tools that report cache counts (now ${there})`,
  stated_days_low: (needed, there) =>
    `${needed} of days stated (now ${there}): update opbench and run it daily`,
};

/** What is missing to be ranked, with its numbers. For codes of newer boards, the board's own text. */
export function missingText({ code, required, actual, detail }: Reason): string {
  const words = own(WORDS, code);
  if (words !== undefined) return words;
  if (required == null) return plain(detail ?? code);
  const there = actual ?? 0;
  const amounts = `${figure(there)} of ${figure(required)}`;
  const amount = own(AMOUNTS, code);
  if (amount !== undefined) return `${counted(required - there, `more ${amount}`)} (${amounts})`;
  if (code === 'effective_days_low') {
    // Rounded down, so that an unmet requirement never looks met.
    const days = figure(Math.floor(there * 10) / 10);
    return `tokens spread over more days (${days} of ${figure(required)} effective)`;
  }
  const share = own(SHARES, code);
  if (share) return share(`${figure(100 * required)}%`, `${wholePercent(there)}%`);
  return plain(detail ?? `${amounts} ${code}`);
}

/** The value for a code, which comes from a board. */
function own<Value>(table: Partial<Record<Code, Value>>, code: string): Value | undefined {
  return Object.hasOwn(table, code) ? table[code as Code] : undefined;
}
