import type { BoardTrust, Totals } from '#core/schema/board.ts';
import { whole } from './format.ts';

/** Signed counts are the rule; only the exceptions are marked. */
const TRUST: Readonly<Record<BoardTrust, string | null>> = {
  signed: null,
  mixed: 'partly signed',
  self_reported: 'not signed',
};

export function trustText(trust: BoardTrust): string | null {
  return TRUST[trust];
}

/** The four counts behind a total, in full. */
export function usageTitle({ input, output, cache_write, cache_read }: Totals): string {
  const counts = [
    ['input', input],
    ['output', output],
    ['cache written', cache_write],
    ['cache read', cache_read],
  ] as const;
  const text = (value: number | null) => (value === null ? 'not reported' : whole(value));
  return counts.map(([name, value]) => `${name} ${text(value)}`).join(', ');
}
