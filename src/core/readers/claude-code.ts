/**
 * Claude Code: one JSON object a line. A response is written again for each of its content blocks
 * and while it streams, and copied whenever a session is resumed, forked or compacted, so lines are
 * candidates that are grouped by response; the best line of a group counts, as a whole.
 *
 * @module
 */
import { type LoggedResponse, UNKNOWN } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { type Candidate, type Spent, readLine } from './claude-code-line.ts';
import type { FileReader, FileUsage, Reader } from './reader.ts';
import { openLines } from './responses.ts';

/** What one transcript says. */
interface ClaudeCodeUsage extends FileUsage {
  /** One entry a response, the best seen, dated at the first. */
  responses: Candidate[];
}

/** Reader of Claude Code's transcripts, those of Claude Desktop's Cowork included. */
export const claudeCode: Reader<ClaudeCodeUsage> = {
  tool: 'claude-code',
  rules: 2,
  needles: ['"input_tokens"'],
  open,
  merge,
};

function open(path: string, before?: ClaudeCodeUsage): FileReader<ClaudeCodeUsage> {
  const groups = new Map<string, Candidate>();
  for (const candidate of before?.responses ?? []) addCandidate(groups, candidate);
  return openLines(path, before, {
    read(fields, skip) {
      const read = readLine(fields, path);
      if (typeof read !== 'string') addCandidate(groups, read);
      else if (read !== 'other') skip(read);
    },
    said: () => ({ responses: [...groups.values()] }),
  });
}

/** Adds a candidate to its group: the better one stays, with the earlier of both timestamps. */
function addCandidate(groups: Map<string, Candidate>, candidate: Candidate): void {
  const rival = groups.get(candidate.key);
  if (rival === undefined) {
    groups.set(candidate.key, candidate);
    return;
  }
  const timestampMs = Math.min(rival.timestampMs, candidate.timestampMs);
  const best = compare(candidate, rival) > 0 ? candidate : rival;
  if (best !== rival || timestampMs !== rival.timestampMs) {
    groups.set(candidate.key, { ...best, timestampMs });
  }
}

/**
 * Main line before sidechain, then more output, then more in total. A whole line wins and never the
 * maximum of each field: a fallback in mid-stream writes a second line with another model.
 */
function compare(a: Candidate, b: Candidate): number {
  return (
    Number(b.sidechain) - Number(a.sidechain) ||
    a.output - b.output ||
    totalWithExtras(a) - totalWithExtras(b) ||
    compareText(contentOf(a), contentOf(b))
  );
}

function totalWithExtras(candidate: Candidate): number {
  return candidate.extras.reduce((sum, extra) => sum + totalOf(extra), totalOf(candidate));
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a > b ? 1 : -1;
}

/** All that counts of a candidate, as text: makes the choice between equals the same in any order. */
function contentOf({ model, input, output, cache_write, cache_read, extras }: Candidate): string {
  const beside = extras.length > 0 ? JSON.stringify(extras) : '';
  return `${model}\n${input} ${output} ${cache_write} ${cache_read} ${beside}`;
}

function merge(files: readonly ClaudeCodeUsage[]): LoggedResponse[] {
  const groups = new Map<string, Candidate>();
  for (const { responses } of files) {
    for (const candidate of responses) addCandidate(groups, candidate);
  }
  const bound: Candidate[] = [];
  const events: LoggedResponse[] = [];
  for (const candidate of groups.values()) {
    if (candidate.session_bound_id === null) addEvents(events, candidate, candidate.key);
    else bound.push(candidate);
  }
  addBound(events, bound);
  return events;
}

/**
 * Adds responses that are known by their session only, the best first. The same id at the same
 * millisecond with the same counts is history copied into a new session. The id and the instant name
 * a response, because any of these sessions may be deleted first.
 */
function addBound(events: LoggedResponse[], candidates: Candidate[]): void {
  const seen = new Set<string>();
  for (const candidate of candidates.sort((a, b) => compare(b, a))) {
    const name = `${candidate.session_bound_id}\nat ${candidate.timestampMs}`;
    const copy = `${name}\n${contentOf(candidate)}`;
    if (seen.has(copy)) continue;
    addEvents(events, candidate, seen.has(name) ? copy : name);
    seen.add(name).add(copy);
  }
}

/** Adds the response and what was spent beside it; a response without tokens is no usage. */
function addEvents(events: LoggedResponse[], candidate: Candidate, key: string): void {
  const { timestampMs, extras } = candidate;
  addEvent(events, timestampMs, key, candidate);
  for (const [index, extra] of extras.entries()) {
    addEvent(events, timestampMs, `${key}\nextra ${index}`, extra);
  }
}

function addEvent(events: LoggedResponse[], timestampMs: number, key: string, spent: Spent): void {
  if (totalOf(spent) === 0) return;
  const { model, input, output, cache_write, cache_read } = spent;
  const provider = model.toLowerCase().includes('claude') ? 'anthropic' : UNKNOWN;
  events.push({ key, timestampMs, provider, model, input, output, cache_write, cache_read });
}
