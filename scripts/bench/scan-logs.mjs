// Synthetic logs of Claude Code and Codex for the benchmark of the scan, the same for the same sizes:
// most bytes are what tools returned, responses are written once for each of their content blocks, and
// Codex repeats its counts when limits are refreshed. What they come to is known.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomOf } from '../random.mjs';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 2, 2);
const DAYS = 60;
const MEGABYTE = 1 << 20;

const WORDS = `const return import "usage" 'x' => { } ( ) // the tests pass \\ \n\t naïve 日本語 42 node_modules`;

/** What makes the content of a log: ids, times, texts and counts. */
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

  instant() {
    return START_MS + this.upTo(DAYS) * DAY_MS + this.upTo(DAY_MS / 2);
  }
}

/** A file that is written line by line up to a size. */
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

/** Sizes of files: most are small and few are very large, as in use. */
function sizesOf(files, bytes) {
  const shares = Array.from({ length: files }, (_, rank) => (rank + 1) ** -0.85);
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => Math.floor((share / sum) * bytes));
}

/** The lines of one transcript, turn by turn. */
class Transcript {
  #source;
  #place;
  #at;

  constructor(source, index, sessionId) {
    this.#source = source;
    this.#at = source.instant();
    const cwd = `/home/dev/project-${index % 20}`;
    const session = { sessionId, version: '2.1.216', gitBranch: 'main' };
    this.#place = { isSidechain: false, userType: 'external', cwd, ...session };
  }

  #head() {
    return { parentUuid: this.#source.uuid(), ...this.#place };
  }

  #end() {
    this.#at += 1500;
    return { uuid: this.#source.uuid(), timestamp: new Date(this.#at).toISOString() };
  }

  /** A response in two blocks, what its tool returned, and a line without meaning. */
  turn(usage) {
    const source = this.#source;
    const id = `msg_01${source.hex(22)}`;
    const requestId = `req_011${source.hex(21)}`;
    const named = { model: 'claude-opus-4-6', id, type: 'message', role: 'assistant' };
    const block = (content) => {
      const stop = { stop_reason: null, stop_sequence: null };
      const message = { ...named, content: [content], ...stop, usage };
      return { ...this.#head(), message, requestId, type: 'assistant', ...this.#end() };
    };
    const result = source.text(source.upTo(16_000));
    const returned = { role: 'user', content: [{ type: 'tool_result', content: result }] };
    const toolUseResult = { stdout: result.slice(0, 800) };
    const hook = { type: 'hook_progress', command: source.text(300) };
    return [
      block({ type: 'text', text: source.text(source.upTo(2400)) }),
      block({ type: 'tool_use', name: 'Read', input: { path: source.text(60) } }),
      { ...this.#head(), type: 'user', message: returned, ...this.#end(), toolUseResult },
      { ...this.#head(), type: 'progress', data: hook, ...this.#end() },
    ];
  }
}

function writeClaude(folder, megabytes, totals) {
  const source = new Source(1);
  for (const [index, bytes] of sizesOf(200, megabytes * MEGABYTE).entries()) {
    const sessionId = source.uuid();
    const transcript = new Transcript(source, index, sessionId);
    writeFile(join(folder, 'projects', `p${index % 20}`, `${sessionId}.jsonl`), bytes, () => {
      const usage = {
        input_tokens: source.upTo(50),
        cache_creation_input_tokens: source.upTo(4000),
        cache_read_input_tokens: source.upTo(100_000),
        output_tokens: 1 + source.upTo(900),
      };
      totals.input += usage.input_tokens;
      totals.output += usage.output_tokens;
      totals.cache_write += usage.cache_creation_input_tokens;
      totals.cache_read += usage.cache_read_input_tokens;
      return transcript.turn(usage);
    });
  }
}

/** The lines of one rollout, turn by turn. */
class Rollout {
  #source;
  #at;
  #total = {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: 0,
  };

  constructor(source) {
    this.#source = source;
    this.#at = source.instant();
  }

  #line(type, payload) {
    this.#at += 1200;
    return { timestamp: new Date(this.#at).toISOString(), type, payload };
  }

  head(id) {
    const client = { originator: 'codex_cli_rs', cli_version: '0.144.0', source: 'cli' };
    const instructions = this.#source.text(4000);
    const cwd = '/home/dev';
    const session = { id, cwd, ...client, model_provider: 'openai', instructions };
    return this.#line('session_meta', session);
  }

  /** A turn with what its tool returned, and its counts twice. */
  turn(last) {
    for (const name of Object.keys(this.#total)) this.#total[name] += last[name];
    const info = { total_token_usage: { ...this.#total }, last_token_usage: last };
    const count = () => this.#line('event_msg', { type: 'token_count', info, rate_limits: null });
    const text = this.#source.text(this.#source.upTo(3000));
    const content = [{ type: 'output_text', text }];
    const output = this.#source.text(this.#source.upTo(9000));
    const message = this.#source.text(300);
    return [
      this.#line('turn_context', { cwd: '/home/dev', model: 'gpt-5.3-codex', effort: 'high' }),
      this.#line('response_item', { type: 'message', role: 'assistant', content }),
      this.#line('response_item', { type: 'function_call_output', output }),
      this.#line('event_msg', { type: 'agent_message', message }),
      count(),
      count(),
    ];
  }
}

function writeCodex(folder, megabytes, totals) {
  const source = new Source(2);
  for (const bytes of sizesOf(60, megabytes * MEGABYTE)) {
    const id = source.uuid();
    const rollout = new Rollout(source);
    let opening = [rollout.head(id)];
    writeFile(join(folder, 'sessions', `rollout-${id}.jsonl`), bytes, () => {
      const input_tokens = 2000 + source.upTo(20_000);
      const cached_input_tokens = Math.floor(input_tokens * 0.8);
      const output_tokens = 1 + source.upTo(800);
      const total_tokens = input_tokens + output_tokens;
      totals.input += input_tokens - cached_input_tokens;
      totals.output += output_tokens;
      totals.cache_read += cached_input_tokens;
      const counts = { input_tokens, cached_input_tokens, output_tokens, total_tokens };
      const lines = [...opening, ...rollout.turn({ ...counts, reasoning_output_tokens: 0 })];
      opening = [];
      return lines;
    });
  }
}

/** Writes logs of these sizes and returns what they come to. */
export function writeLogs(folder, { claudeMegabytes, codexMegabytes }) {
  const totals = { input: 0, output: 0, cache_write: 0, cache_read: 0 };
  writeClaude(join(folder, 'claude'), claudeMegabytes, totals);
  writeCodex(join(folder, 'codex'), codexMegabytes, totals);
  return totals;
}
