import { plain } from '#core/domain/text/terminal-text.ts';
import type { PublicLogReport } from '../reports.ts';
import { counted, figure } from './figures.ts';
import { wrapped } from './table.ts';

/** The state of the log's check. Paths are not wrapped, so that they can be copied. */
export function logLines(log: PublicLogReport | null): string[] {
  if (!log) return [];
  const { size, proven, waiting } = log;
  const own = `${counted(proven, 'submission')} of this device proven, ${figure(waiting)} waiting`;
  const checked = size === null ? [] : [`  public log: ${figure(size)} entries, ${own}`];
  return [...checked, ...logNotes(log)];
}

/** What the person should know about the last check. */
export function logNotes({ note, evidence }: PublicLogReport): string[] {
  const kept = evidence.map((path) => `    ${plain(path)}`);
  return [
    ...(note === null ? [] : [wrapped(plain(`note: ${note}`), 2)]),
    ...(kept.length === 0 ? [] : ['  evidence against the public log:', ...kept]),
  ];
}
