import { plainJson } from '#core/domain/text/terminal-text.ts';
import type { Given as AnyGiven } from '#core/cli/arguments.ts';
import { dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { WINDOWS, firstDayOf } from '#core/domain/metrics/window.ts';
import { composeWindowRecord } from '#core/domain/metrics/window-record.ts';
import type { OperatorRecord } from '#core/schema/record.ts';
import { Label, TokenCount } from '#core/schema/scalars.ts';
import { type Bucket, UNKNOWN } from '#core/schema/usage.ts';
import { type AgentOutput, command, daysFrom } from '../command.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure, orUsageFailure } from '../failure.ts';
import { scanAndKeep } from '../loop/scan-device.ts';
import { tellUnread } from '../text/scan.ts';

const OPTIONS = {
  window: 'text',
  days: daysFrom(1),
  provider: 'text',
  model: 'text',
  tool: 'text',
} as const;

export const record = command({
  help: `opbench record INPUT OUTPUT [CACHE_WRITE [CACHE_READ]] [--provider NAME]
    [--model NAME] [--tool NAME] [--json]
opbench record --window 7d|30d|90d|all_time [--json]
opbench record --days N [--json]: the Operator Record (rank/0.1-draft) of four
token counts, or of what this device's logs hold in a window of UTC days that
ends today. A cache count that is not reported is - or null, or left out. Sends
nothing.

Example: opbench record 1251211 11296121 128196310 2555179769 --tool claude-code

With and without --json it prints {"spec", "timestamp", "source": {"provider",
"model", "tool"}, "telemetry": {"input", "output", "cache_write", "cache_read"},
"metrics": {"yield", "leverage", "velocity", "snr", "dev10x"}, "warnings",
"context": {"window"}}. The timestamp is the time of the counting. A name is
"mixed" where a window holds several, "unknown" where there is none. A metric
that needs the cache is computed over what reports it; a warning says where that
is not all.
`,
  options: OPTIONS,
  words: 4,
  async run(given, output, place: Place) {
    const { window, days } = given.values;
    const isOfWindow = window !== undefined || days !== undefined;
    const record = isOfWindow
      ? await recordOfWindow(place, given, output)
      : recordOfCounts(place, given);
    output.result(record, plainJson(record));
    return EXIT.ok;
  },
});

type Given = AnyGiven<typeof OPTIONS>;

function recordOfCounts({ nowMs }: Place, { words, values }: Given): OperatorRecord {
  const [input, output, cacheWrite, cacheRead] = words;
  if (input === undefined || output === undefined) {
    const hint = 'As in: opbench record 1000 200 300 9000, or: opbench record --window 30d';
    throw new Failure(EXIT.usage, 'record takes INPUT and OUTPUT, or --window', hint);
  }
  const timestamp = new Date(nowMs()).toISOString();
  const bucket: Bucket = {
    day: timestamp.slice(0, 10),
    provider: readName('provider', values.provider),
    model: readName('model', values.model),
    tool: readName('tool', values.tool),
    input: readCount('INPUT', input),
    output: readCount('OUTPUT', output),
    cache_write: readCacheCount('CACHE_WRITE', cacheWrite),
    cache_read: readCacheCount('CACHE_READ', cacheRead),
  };
  return compose([bucket], { timestamp });
}

async function recordOfWindow(
  place: Place,
  given: Given,
  output: AgentOutput,
): Promise<OperatorRecord> {
  const { words, values } = given;
  const { provider, model, tool } = values;
  if (words.length > 0 || [provider, model, tool].some((name) => name !== undefined)) {
    const message = '--window and --days take counts and names from the logs';
    throw new Failure(EXIT.usage, message, 'Give either counts or a window.');
  }
  const now = place.nowMs();
  const last = dayNumber(utcDay(now));
  const { window, first } = readWindow(values, last);
  const scanned = await scanAndKeep(place, output.progress);
  tellUnread(scanned, output);
  const buckets = scanned.buckets.filter(({ day }) => {
    return dayNumber(day) >= first && dayNumber(day) <= last;
  });
  if (buckets.length === 0) output.note('The logs on this device hold nothing of these days.');
  return compose(buckets, { window, timestamp: new Date(now).toISOString() });
}

/** A window's name and its first day, when it ends with day number `last`. */
function readWindow({ window, days }: Given['values'], last: number) {
  if (window === undefined) {
    const span = days ?? 1;
    return { window: `${span}d`, first: last - span + 1 };
  }
  const known = WINDOWS.find((name) => name === window);
  if (known !== undefined && days === undefined) {
    return { window: known, first: firstDayOf(known, last) };
  }
  const message = known ? 'Give --window or --days, not both' : `There is no window "${window}"`;
  throw new Failure(EXIT.usage, message, `The windows are ${WINDOWS.join(', ')}; or --days N.`);
}

function compose(...args: Parameters<typeof composeWindowRecord>): OperatorRecord {
  return orUsageFailure(() => composeWindowRecord(...args));
}

function readCacheCount(name: string, text: string | undefined): number | null {
  return text === undefined || ['-', 'null'].includes(text) ? null : readCount(name, text);
}

/** @throws {Failure} `usage` for what is no count. */
function readCount(name: string, text: string): number {
  const count = /^\d{1,16}$/.test(text) ? TokenCount.safeParse(Number(text)) : null;
  if (count?.success) return count.data;
  const hint = 'Digits only, without signs or separators; a cache count may also be -.';
  throw new Failure(EXIT.usage, `${name} is a whole number up to 2^53-1, not "${text}"`, hint);
}

/** @throws {Failure} `usage` for what no record can hold. */
function readName(option: string, text = UNKNOWN): string {
  const name = Label.safeParse(text.normalize('NFC').trim());
  if (name.success) return name.data;
  const message = `--${option} takes a name of 1 to 120 visible characters`;
  throw new Failure(EXIT.usage, message);
}
