/** The logs of tools in a simulation, as files, and the truth that boards are compared with. */
import { appendFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { aClaudeLine, aCodexCount, aCodexHead } from './log-writers.ts';

/** A response that a tool logged. */
export interface Told {
  day: string;
  input: number;
  output: number;
  cache_write: number;
  cache_read: number;
}

/** The total of one day. */
export interface DaySum extends Omit<Told, 'day'> {
  responses: number;
}

export type Tool = 'claude-code' | 'codex';

/** The origin of times in log lines. */
const LINES_FROM_MS = Date.UTC(2026, 2, 2);

/** All responses that were ever logged for one account, even if their logs are gone. */
export class Truth {
  readonly #told: Told[] = [];

  add(told: Told): void {
    this.#told.push(told);
  }

  byDay(): Map<string, DaySum> {
    const days = new Map<string, DaySum>();
    for (const { day, ...counts } of this.#told) {
      const sum = days.get(day) ?? { ...NOTHING };
      sum.responses += 1;
      for (const name of PILLARS) sum[name] += counts[name];
      days.set(day, sum);
    }
    return days;
  }
}

export const PILLARS = ['input', 'output', 'cache_write', 'cache_read'] as const;

export const NOTHING: DaySum = {
  responses: 0,
  input: 0,
  output: 0,
  cache_write: 0,
  cache_read: 0,
};

/** The log of a session, and its state. */
export interface Session {
  tool: Tool;
  path: string;
  id: string;
  /** The running totals of Codex. */
  total: number;
  /** The lines, as a resumed session copies them. */
  lines: string[];
}

let made = 0;

/** A number that is unique in this process. */
function nextNumber(): number {
  made += 1;
  return made;
}

/** Starts a session in a home folder. */
export function aSession(home: string, tool: Tool, atMs: number, project = 'app'): Session {
  const id = `00000000-0000-4000-8000-${String(nextNumber()).padStart(12, '0')}`;
  const session = { tool, id, path: '', total: 0, lines: [] };
  if (tool === 'claude-code') {
    return { ...session, path: join(home, '.claude', 'projects', project, `${id}.jsonl`) };
  }
  const at = new Date(atMs).toISOString();
  const folder = join(home, '.codex', 'sessions', ...at.slice(0, 10).split('-'));
  const path = join(folder, `rollout-${at.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`);
  const context = { timestamp: at, type: 'turn_context', payload: { model: 'gpt-5.1-codex' } };
  const lines = [aCodexHead(id, atMs - LINES_FROM_MS), JSON.stringify(context)];
  return { ...session, path, lines };
}

/** Adds a response to a session. Every response has different counts. */
export function tell(session: Session, atMs: number): Told {
  const number = nextNumber();
  const day = new Date(atMs).toISOString().slice(0, 10);
  const before = session.lines.length;
  const told =
    session.tool === 'codex' ? tellCodex(session, atMs, number) : tellClaude(session, atMs, number);
  write(session, existsSync(session.path) ? session.lines.slice(before) : session.lines, atMs);
  return { day, ...told };
}

function tellClaude({ id, lines }: Session, atMs: number, number: number) {
  const counts = {
    input: 1000 + (number % 997),
    output: 20_000 + ((number * 7) % 9973),
    cache_write: 3000 + ((number * 11) % 1999),
    cache_read: 50_000 + ((number * 13) % 19_997),
  };
  const at = atMs - LINES_FROM_MS;
  lines.push(aClaudeLine({ id: `msg_${number}`, at, session: id, ...counts }));
  return counts;
}

function tellCodex(session: Session, atMs: number, number: number) {
  const count = 3000 + (number % 1999);
  session.total += count;
  session.lines.push(aCodexCount(atMs - LINES_FROM_MS, session.total, count));
  return { input: 4 * count, output: count, cache_write: 0, cache_read: 6 * count };
}

/** Copies a session's history into a new one, like tools that resume it. */
export function resumed(session: Session, home: string, atMs: number): Session {
  const copy = aSession(home, session.tool, atMs);
  const lines = session.lines.map((line) => line.replaceAll(session.id, copy.id));
  const own = session.tool === 'codex' ? forkOf(session, copy, atMs) : lines;
  const result = { ...copy, total: session.total, lines: own };
  write(result, own, atMs);
  return result;
}

/** A fork of Codex names its parent, then replays the parent's counts with its own times. */
function forkOf(parent: Session, { id }: Session, atMs: number): string[] {
  const at = new Date(atMs).toISOString();
  const replayed = parent.lines.slice(1).map((line) => {
    return JSON.stringify({ ...(JSON.parse(line) as object), timestamp: at });
  });
  return [aCodexHead(id, atMs - LINES_FROM_MS, parent.id), parent.lines[0] ?? '', ...replayed];
}

function write({ path }: Session, lines: readonly string[], atMs: number): void {
  const text = lines.map((line) => `${line}\n`).join('');
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) appendFileSync(path, text);
  else writeFileSync(path, text);
  utimesSync(path, atMs / 1000, atMs / 1000);
}
