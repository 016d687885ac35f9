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
  help: `opbench record: compute the metrics of token counts, as an Operator Record

Usage: opbench record INPUT OUTPUT [CACHE_WRITE [CACHE_READ]]
                      [--provider NAME] [--model NAME] [--tool NAME]
       opbench record --window 7d|30d|90d|all_time
       opbench record --days N

  INPUT ...      token counts; write - for a cache count that is not reported
  --window NAME  use the logs on this device, for a window that ends today
  --days N       the same for the last N UTC days
  --json         no effect; the output is always JSON

Nothing is sent.

Example: opbench record 1251211 11296121 128196310 2555179769 --tool claude-code
`,
  json: `opbench record prints one Operator Record (rank/0.1-draft):

  spec, timestamp
  source     {provider, model, tool}; "mixed" if the window has several,
             "unknown" if there is none
  telemetry  {input, output, cache_write, cache_read}
  metrics    {yield, leverage, velocity, snr, dev10x}
  warnings   array of texts
  context    {window}

The timestamp is the time of the computation. Metrics that need cache counts are
computed from the counts that have them; a warning says so if some do not.
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
    const hint = 'For example: opbench record 1000 200 300 9000, or: opbench record --window 30d';
    throw new Failure(EXIT.usage, 'record needs INPUT and OUTPUT, or --window', hint);
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
    const message = '--window and --days read counts and names from the logs';
    throw new Failure(EXIT.usage, message, 'Give counts or a window, not both.');
  }
  const now = place.nowMs();
  const last = dayNumber(utcDay(now));
  const { window, first } = readWindow(values, last);
  const scanned = await scanAndKeep(place, output.progress);
  tellUnread(scanned, output);
  const buckets = scanned.buckets.filter(({ day }) => {
    return dayNumber(day) >= first && dayNumber(day) <= last;
  });
  if (buckets.length === 0) output.note('No logs found for this period. Run: opbench scan');
  return compose(buckets, { window, timestamp: new Date(now).toISOString() });
}

/** The name and the first day of a window that ends with day number `last`. */
function readWindow({ window, days }: Given['values'], last: number) {
  if (window === undefined) {
    const span = days ?? 1;
    return { window: `${span}d`, first: last - span + 1 };
  }
  const known = WINDOWS.find((name) => name === window);
  if (known !== undefined && days === undefined) {
    return { window: known, first: firstDayOf(known, last) };
  }
  const message = known ? 'Give --window or --days, not both' : `Unknown window "${window}"`;
  throw new Failure(EXIT.usage, message, `Use one of ${WINDOWS.join(', ')}, or --days N.`);
}

function compose(...args: Parameters<typeof composeWindowRecord>): OperatorRecord {
  return orUsageFailure(() => composeWindowRecord(...args));
}

function readCacheCount(name: string, text: string | undefined): number | null {
  return text === undefined || ['-', 'null'].includes(text) ? null : readCount(name, text);
}

/** @throws {Failure} `usage` if the text is not a count. */
function readCount(name: string, text: string): number {
  const count = /^\d{1,16}$/.test(text) ? TokenCount.safeParse(Number(text)) : null;
  if (count?.success) return count.data;
  const hint = 'Use digits only, without signs or separators. A cache count may also be -.';
  throw new Failure(EXIT.usage, `${name} must be a whole number up to 2^53-1, not "${text}"`, hint);
}

/** @throws {Failure} `usage` if no record can hold the name. */
function readName(option: string, text = UNKNOWN): string {
  const name = Label.safeParse(text.normalize('NFC').trim());
  if (name.success) return name.data;
  const message = `--${option} must be a name of 1–120 visible characters`;
  throw new Failure(EXIT.usage, message);
}
