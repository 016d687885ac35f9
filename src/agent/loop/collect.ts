/** Scans the logs and returns the counts of the ledger that boards accept. */
import { FIRST_DAY, utcDay } from '#core/domain/counting/day.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { readers } from '#core/readers/readers.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Progress } from '../command.ts';
import type { LocalDevice, Place } from '../device.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ScanResult } from '../logs/scan.ts';
import { counted } from '../text/figures.ts';
import type { LeftOutDay } from '../reports.ts';
import { adoptSent } from './adopt-sent.ts';
import type { Sendable } from './compose.ts';
import { countedOnly, excludedTools } from '../logs/excluded.ts';
import { scanDevice } from './scan-device.ts';

export interface Collected extends Sendable {
  ledger: Ledger;
  /** Whether the counts are saved in case the logs are deleted. */
  isKept: boolean;
  notes: string[];
  impossible: LeftOutDay[];
}

/**
 * Scans the logs, updates the ledger, and leaves out days before 2023 or in the future.
 *
 * @throws {Failure} if the ledger cannot be read, because its counts would be missing on boards, or if the settings for
 *   excluded tools and folders are wrong.
 */
export async function collect(
  place: Pick<Place, 'environment' | 'nowMs'> & Partial<Pick<LocalDevice, 'keystore' | 'wait'>>,
  progress?: Progress,
): Promise<Collected> {
  const { environment, keystore, nowMs } = place;
  const excluded = excludedTools(environment);
  const { scanned, ledger, isKept, notes } = await scanDevice(place, progress);
  if (ledger.blocked) throw ledger.blocked;
  if (keystore) notes.push(...(await adoptSent({ keystore, nowMs }, ledger)));
  const today = utcDay(nowMs());
  const impossible = impossibleDays(scanned.buckets, today);
  const rules = readers.flatMap(({ tool }) => {
    const counted = ledger.rulesOf(tool);
    // Nothing of an excluded tool is corrected, so its rules must not count as settled.
    return counted === undefined || excluded.includes(tool) ? [] : [[tool, counted]];
  });
  return {
    get buckets() {
      const dated = ledger.buckets().filter(({ day }) => day >= FIRST_DAY && day <= today);
      return countedOnly(environment, dated);
    },
    rules: Object.fromEntries(rules) as Record<string, number>,
    wholeFrom: wholeTools(scanned, ledger),
    ledger,
    isKept,
    impossible,
    notes: [...notes.map(plain), ...notesOf(scanned, impossible)],
  };
}

/** The tools whose logs could all be read, each with the first day for which none can be missing. */
function wholeTools({ sources }: ScanResult, ledger: Ledger): Map<string, string> {
  const read = sources.filter(({ files, unreadable }) => files > 0 && unreadable.length === 0);
  return new Map(
    read.flatMap(({ tool }) => {
      const from = ledger.wholeFrom(tool);
      return from === null ? [] : [[tool, from] as const];
    }),
  );
}

function notesOf({ sources, notes }: ScanResult, impossible: readonly LeftOutDay[]): string[] {
  const unread = sources.flatMap(({ unreadable }) => unreadable);
  return [
    ...notes.map(plain),
    ...[impossibleText(impossible) ?? []].flat(),
    ...sources.flatMap(({ tool, skipped: { too_much = 0 } }) => {
      const left = `${counted(too_much, 'response')} of ${tool} left out because their counts are impossibly large`;
      return too_much > 0 ? [left] : [];
    }),
    ...unread.map((reason) => `Could not be read: ${plain(reason)}`),
    ...(sources.some(({ files }) => files > 0) ? [] : [absenceText(sources)]),
  ];
}

function absenceText(sources: ScanResult['sources']): string {
  const places = sources.flatMap(({ tool, roots: [first, ...more] }) => {
    const rest = more.length > 0 ? ` and ${more.length} more` : '';
    return first === undefined ? [] : [`  ${tool}: ${plain(first)}${rest}`];
  });
  return ['No logs were found on this device. Searched:', ...places].join('\n');
}

const SHOWN = 5;
const LISTED = 100;

/** @param today The current day by this device's clock. */
export function impossibleDays(buckets: readonly Bucket[], today: string): LeftOutDay[] {
  return buckets.flatMap(({ day, tool, model }): LeftOutDay[] => {
    if (day < FIRST_DAY) return [{ day, tool, model, reason: 'before_2023' }];
    return day > today ? [{ day, tool, model, reason: 'in_future' }] : [];
  });
}

export function listedDays(days: readonly LeftOutDay[]): LeftOutDay[] {
  return days.slice(0, LISTED);
}

const REASONS: Readonly<Record<LeftOutDay['reason'], string>> = {
  before_2023: 'before 2023',
  in_future: "in the future by this device's clock",
};

/** A text about the counts that are left out; null if there are none. */
export function impossibleText(days: readonly LeftOutDay[]): string | null {
  if (days.length === 0) return null;
  const named = days.slice(0, SHOWN).map(({ day, tool, model, reason }) => {
    return `${day} ${plain(tool)} ${plain(model)} (${REASONS[reason]})`;
  });
  const left = days.length - named.length;
  const more = left > 0 ? ` and ${left} more` : '';
  return `${counted(days.length, 'daily count')} left out because of an impossible date: ${named.join(', ')}${more}`;
}
