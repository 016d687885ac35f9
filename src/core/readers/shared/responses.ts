/** Responses that may appear more than once: the fullest version counts, with the earliest time. */
import type { LoggedResponse, Pillars, UsageEvent } from '../../schema/usage.ts';
import { totalOf } from '../../domain/counting/bucket.ts';
import { type Fields, parseFields } from './fields.ts';
import { type FileReader, type FileUsage, type SkipReason, addSkip, unparsed } from './reader.ts';

/** The parts of a response in a log. Null or NaN if invalid. */
interface Parts {
  id: string | null;
  timestampMs: number;
  provider: string | null;
  model: string | null;
  pillars: Pillars | null;
}

/** How to read a file's lines, and the result so far. */
interface Reading<Said> {
  read(fields: Fields, skip: (reason: SkipReason) => void): void;
  said(): Said;
}

/** A file reader that continues after the usage of `before`. */
export function openLines<Said>(
  path: string,
  before: FileUsage | undefined,
  { read, said }: Reading<Said>,
): FileReader<FileUsage & Said> {
  const skipped = { ...before?.skipped };
  const skip = (reason: SkipReason) => addSkip(skipped, reason);
  return {
    line(text) {
      const fields = parseFields(text);
      if (fields === null) skip(unparsed(text));
      else read(fields, skip);
    },
    finish: () => ({ path, skipped: { ...skipped }, ...said() }),
  };
}

/** How to read the responses in a file, and which of them are the same. */
interface Keyed<Event> {
  /** Null if there is no response. */
  read(fields: Fields): Event | SkipReason | null;
  keyOf(response: Event): string;
}

/** A file reader that keeps each response with tokens once. */
export function openResponses<Event extends UsageEvent>(
  path: string,
  before: (FileUsage & { responses: readonly Event[] }) | undefined,
  { read, keyOf }: Keyed<Event>,
): FileReader<FileUsage & { responses: Event[] }> {
  const responses = new Map(before?.responses.map((response) => [keyOf(response), response]));
  return openLines(path, before, {
    read(fields, skip) {
      const told = read(fields);
      if (typeof told === 'string') skip(told);
      else if (told !== null && totalOf(told) > 0) keepFullest(responses, keyOf(told), told);
    },
    said: () => ({ responses: [...responses.values()] }),
  });
}

/** A response with its ID, or the reason why it is invalid. */
export function responseOf(parts: Parts): (UsageEvent & { id: string }) | SkipReason {
  const { id, timestampMs, provider, model, pillars } = parts;
  if (pillars === null) return 'count';
  if (provider === null || model === null) return 'name';
  if (id === null) return 'id';
  if (Number.isNaN(timestampMs)) return 'time';
  return { id, timestampMs, provider, model, ...pillars };
}

/** Adds a version of a response, in place. The result does not depend on the order. */
export function keepFullest<Event extends UsageEvent>(
  known: Map<string, Event>,
  key: string,
  told: Event,
): void {
  const rival = known.get(key);
  if (rival === undefined) {
    known.set(key, told);
    return;
  }
  const timestampMs = Math.min(rival.timestampMs, told.timestampMs);
  const fullest = isFuller(told, rival) ? told : rival;
  known.set(key, { ...fullest, timestampMs });
}

function isFuller(a: UsageEvent, b: UsageEvent): boolean {
  const more = totalOf(a) - totalOf(b);
  return more === 0 ? contentOf(a) > contentOf(b) : more > 0;
}

/** Everything except the time, as text. */
export function contentOf(event: UsageEvent): string {
  const { provider, model, input, output, cache_write, cache_read } = event;
  return `${provider}\n${model}\n${input} ${output} ${cache_write} ${cache_read}`;
}

/** The event with its key, without members that a reader adds. */
export function loggedAs(key: string, event: UsageEvent): LoggedResponse {
  const { timestampMs, provider, model, input, output, cache_write, cache_read } = event;
  return { key, timestampMs, provider, model, input, output, cache_write, cache_read };
}

/** The responses of all files, each once under its key. The result does not depend on the order. */
export function eachOnce<Event extends UsageEvent>(
  responses: readonly Event[],
  keyOf: (response: Event) => string,
): LoggedResponse[] {
  const byKey = new Map<string, Event>();
  for (const response of responses) keepFullest(byKey, keyOf(response), response);
  return Array.from(byKey, ([key, response]) => loggedAs(key, response));
}
