// Synthetic logs of Claude Code and Codex for the scan benchmark, the same for the same sizes, with known totals. Most
// bytes are results of tools. Responses are written once for each content block, and Codex repeats its counts when
// limits are refreshed.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomOf } from '../random.mjs';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 2, 2);
const DAYS = 60;
const MEGABYTE = 1 << 20;

const WORDS = `const return import "usage" 'x' => { } ( ) // the tests pass \\ \n\t naïve 日本語 42 node_modules`;

/** Generates the content of a log: IDs, times, texts and counts. */
class Source {
  #random;
  #words;

  constructor(seed) {
    this.#random = randomOf(seed);
    const words = WORDS.split(' ');
    const many = Array.from({ length: 4000 }, () => words[this.upTo(words.length)]);
    this.#words = many.join(' ');
  }

  upTo(limit) {
    return Math.floor(this.#random() * limit);
  }

  text(length) {
    const from = this.upTo(this.#words.length);
    const text = this.#words.slice(from, from + length);
    return text + this.#words.slice(0, Math.max(0, length - text.length));
  }

  hex(length) {
    return Array.from({ length }, () => this.upTo(16).toString(16)).join('');
  }

  uuid() {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-8${this.hex(3)}-${this.hex(12)}`;
  }
}

/** A file, written line by line up to a size. */
function writeFile(path, bytes, linesOf) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  try {
    for (let size = 0; size < bytes;) {
      const text = linesOf()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('');
      size += writeSync(file, text);
    }
  } finally {
    closeSync(file);
  }
}

/** Sizes of files: most are small and a few are very large, as in practice. */
function sizesOf(files, bytes) {
  const shares = Array.from({ length: files }, (_, rank) => (rank + 1) ** -0.85);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => Math.floor((share / sum) * bytes));
}

/** Returns the time of each line, from a starting time. */
function clockOf(source, stepMs) {
  let at = START_MS + source.upTo(DAYS) * DAY_MS + source.upTo(DAY_MS / 2);
  return () => new Date((at += stepMs)).toISOString();
}

/** The lines of a transcript, turn by turn: a response in two blocks, the result of its tool, and an irrelevant line. */
function transcriptOf(source, index, sessionId) {
  const timestamp = clockOf(source, 1500);
  const cwd = `/home/dev/project-${index % 20}`;
  const session = { sessionId, version: '2.1.216', gitBranch: 'main' };
  const place = { isSidechain: false, userType: 'external', cwd, ...session };
  const line = (members, more = {}) => {
    const end = { uuid: source.uuid(), timestamp: timestamp() };
    return { parentUuid: source.uuid(), ...place, ...members, ...end, ...more };
  };
  return (usage) => {
    const id = `msg_01${source.hex(22)}`;
    const requestId = `req_011${source.hex(21)}`;
    const named = { model: 'claude-opus-4-6', id, type: 'message', role: 'assistant' };
    const stop = { stop_reason: null, stop_sequence: null };
    const block = (content) => {
      const message = { ...named, content: [content], ...stop, usage };
      return line({ message, requestId, type: 'assistant' });
    };
    const result = source.text(source.upTo(16_000));
    const returned = { role: 'user', content: [{ type: 'tool_result', content: result }] };
    const hook = { type: 'hook_progress', command: source.text(300) };
    return [
      block({ type: 'text', text: source.text(source.upTo(2400)) }),
      block({ type: 'tool_use', name: 'Read', input: { path: source.text(60) } }),
      line(
        { type: 'user', message: returned },
        { toolUseResult: { stdout: result.slice(0, 800) } },
      ),
      line({ type: 'progress', data: hook }),
    ];
  };
}

function writeClaude(folder, megabytes, totals) {
  const source = new Source(1);
  for (const [index, bytes] of sizesOf(200, megabytes * MEGABYTE).entries()) {
    const sessionId = source.uuid();
    const turn = transcriptOf(source, index, sessionId);
    writeFile(join(folder, 'projects', `p${index % 20}`, `${sessionId}.jsonl`), bytes, () => {
      const counts = {
        input: source.upTo(50),
        cache_write: source.upTo(4000),
        cache_read: source.upTo(100_000),
        output: 1 + source.upTo(900),
      };
      addTo(totals, counts);
      return turn({
        input_tokens: counts.input,
        cache_creation_input_tokens: counts.cache_write,
        cache_read_input_tokens: counts.cache_read,
        output_tokens: counts.output,
      });
    });
  }
}

/** The lines of a rollout: the first line, then for each turn the result of its tool and the counts twice. */
function rolloutOf(source, id) {
  const timestamp = clockOf(source, 1200);
  const line = (type, payload) => ({ timestamp: timestamp(), type, payload });
  const cwd = '/home/dev';
  const client = { originator: 'codex_cli_rs', cli_version: '0.144.0', source: 'cli' };
  const session = { id, cwd, ...client, model_provider: 'openai' };
  const head = line('session_meta', { ...session, instructions: source.text(4000) });
  const total = {};
  const turn = (last) => {
    addTo(total, last);
    const info = { total_token_usage: { ...total }, last_token_usage: last };
    const count = () => line('event_msg', { type: 'token_count', info, rate_limits: null });
    const text = source.text(source.upTo(3000));
    const content = [{ type: 'output_text', text }];
    const output = source.text(source.upTo(9000));
    return [
      line('turn_context', { cwd, model: 'gpt-5.3-codex', effort: 'high' }),
      line('response_item', { type: 'message', role: 'assistant', content }),
      line('response_item', { type: 'function_call_output', output }),
      line('event_msg', { type: 'agent_message', message: source.text(300) }),
      count(),
      count(),
    ];
  };
  return { head, turn };
}

function writeCodex(folder, megabytes, totals) {
  const source = new Source(2);
  for (const bytes of sizesOf(60, megabytes * MEGABYTE)) {
    const id = source.uuid();
    const { head, turn } = rolloutOf(source, id);
    let opening = [head];
    writeFile(join(folder, 'sessions', `rollout-${id}.jsonl`), bytes, () => {
      const input_tokens = 2000 + source.upTo(20_000);
      const cached_input_tokens = Math.floor(input_tokens * 0.8);
      const output_tokens = 1 + source.upTo(800);
      const input = input_tokens - cached_input_tokens;
      addTo(totals, { input, output: output_tokens, cache_read: cached_input_tokens });
      const counts = { input_tokens, cached_input_tokens, output_tokens };
      const sums = { reasoning_output_tokens: 0, total_tokens: input_tokens + output_tokens };
      const lines = [...opening, ...turn({ ...counts, ...sums })];
      opening = [];
      return lines;
    });
  }
}

function addTo(totals, counts) {
  for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
}

/** Writes logs of so many megabytes and returns their totals. */
export function writeLogs(folder, { claude, codex }) {
  const totals = { input: 0, output: 0, cache_write: 0, cache_read: 0 };
  writeClaude(join(folder, 'claude'), claude, totals);
  writeCodex(join(folder, 'codex'), codex, totals);
  return totals;
}
