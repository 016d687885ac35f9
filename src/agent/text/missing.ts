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

/** What is missing to be ranked, with its numbers. For codes of newer boards, the board's own text. */
export function missingText({ code, required, actual, detail }: Reason): string {
  const known = code as Code;
  if (Object.hasOwn(WORDS, code)) return WORDS[known] ?? '';
  if (required == null) return plain(detail ?? code);
  const there = actual ?? 0;
  const amounts = `${figure(there)} of ${figure(required)}`;
  if (Object.hasOwn(AMOUNTS, code)) {
    const more = counted(required - there, `more ${AMOUNTS[known]}`);
    return `${more} (${amounts})`;
  }
  if (code === 'effective_days_low') {
    // Rounded down, so that an unmet requirement never looks met.
    const days = figure(Math.floor(there * 10) / 10);
    return `tokens spread over more days (${days} of ${figure(required)} effective)`;
  }
  if (code === 'coverage_low') {
    const [has, needs] = [there, required].map((share) => `${Math.floor(share * 100)}%`);
    return `${needs} of your output from tools that report cache counts (now ${has})`;
  }
  return plain(detail ?? `${amounts} ${code}`);
}
