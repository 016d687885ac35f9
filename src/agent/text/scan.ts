import { totalOf } from '#core/domain/bucket.ts';
import type { Pillars } from '#core/schema/usage.ts';
import type { Output } from '../command.ts';
import type { ScanResult } from '../logs/scan.ts';
import { figure, plain } from './plain.ts';

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
