import { totalOf } from '#core/domain/bucket.ts';
import type { UnrankedReason } from '#core/schema/board.ts';
import type { Pillars } from '#core/schema/usage.ts';
import type { MeAnswer, Reason, Standing } from './answers.ts';
import type { Output } from './command.ts';
import type { ScanResult } from './scan.ts';

/** What steers a terminal instead of being shown. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text without control characters, so that it cannot steer the terminal. */
export function plain(text: string): string {
  return text.replaceAll(STEERING, '');
}

/** JSON that cannot steer the terminal either. */
export function plainJson(value: unknown): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(STEERING, (character) =>
    character.split('').map(escape).join(''),
  );
}

const FIGURES = new Intl.NumberFormat('en');

function figure(value: number | null): string {
  return value === null ? 'not reported' : FIGURES.format(value);
}

/** The totals of a scan and where they come from. */
export function scanText({ sources }: ScanResult, totals: Pillars): string {
  const lines = sources.map(({ tool, files, events, skipped_lines }) => {
    const skipped = skipped_lines > 0 ? `, broken lines skipped: ${figure(skipped_lines)}` : '';
    return `  ${tool}: ${figure(events)} responses in ${figure(files)} files${skipped}`;
  });
  const pillars = [
    ['input', totals.input],
    ['output', totals.output],
    ['cache write', totals.cache_write],
    ['cache read', totals.cache_read],
    ['total', totalOf(totals)],
  ] as const;
  const width = Math.max(...pillars.map(([, value]) => figure(value).length));
  const rows = pillars.map(
    ([name, value]) => `  ${name.padEnd(12)}${figure(value).padStart(width)}`,
  );
  return ['Logs', ...lines, 'Tokens', ...rows].join('\n');
}

/** Tells what a scan could not read. */
export function tellUnread({ sources }: ScanResult, { note }: Output): void {
  for (const { unreadable } of sources) {
    for (const reason of unreadable) note(`not read: ${plain(reason)}`);
  }
}

/** An operator's standing on one board. */
export function standingText(me: MeAnswer): string {
  const lines = me.standings.map(standingLine);
  const last = me.device?.last_submission_at ?? null;
  if (last !== null && Date.parse(last) > Date.parse(me.generated_at)) {
    lines.push(
      `  the last submission counts from the publication at ${plain(me.next_refresh_at)} on`,
    );
  } else if (lines.length === 0) {
    lines.push('  not on the board: no tokens in any window');
  }
  return lines.join('\n');
}

function standingLine({ window, rank, total, metrics, reasons }: Standing): string {
  const name = plain(window).replace('_', ' ').padEnd(9);
  if (rank !== null) return `  ${name}rank ${rank} of ${total} by yield (${metrics.yield})`;
  return `  ${name}not ranked: ${reasons.map(reasonText).join(', ')}`;
}

const REASONS: Record<UnrankedReason['code'], string> = {
  active_days_low: 'active days',
  effective_days_low: 'effective days',
  total_low: 'tokens in total',
  output_low: 'output tokens',
  coverage_low: 'of the output in logs that report the cache',
  metric_undefined: 'yield is undefined',
  interval_undefined: 'yield is at the end of its scale',
  private: 'the account is private',
};

function reasonText({ code, required, actual }: Reason): string {
  const known = Object.hasOwn(REASONS, code);
  const reason = known ? REASONS[code as keyof typeof REASONS] : plain(code);
  if (required == null) return reason;
  return `${figure(actual ?? 0)} of ${figure(required)} ${reason}`;
}
