/** Builders of single log lines, as text. */

const plain = {
  id: 'msg_a',
  at: 0,
  session: 'ses-1',
  content: [] as unknown,
  model: 'claude-opus-5' as unknown,
  input: 1 as unknown,
  output: 2 as unknown,
  cache_write: 3 as unknown,
  cache_read: 4 as unknown,
  over: {},
};

/** A line of a Claude Code transcript; `at` in milliseconds after 2026-03-02. */
export function aClaudeLine(line: Partial<typeof plain> = {}): string {
  const { id, at, session, content, model, over, ...counts } = { ...plain, ...line };
  const { input, output, cache_write, cache_read } = counts;
  const usage = {
    input_tokens: input,
    cache_creation_input_tokens: cache_write,
    cache_read_input_tokens: cache_read,
    output_tokens: output,
  };
  return JSON.stringify({
    isSidechain: false,
    sessionId: session,
    message: { model, id, role: 'assistant', content, stop_reason: null, usage },
    requestId: `req-${id}`,
    type: 'assistant',
    timestamp: instant(at),
    ...over,
  });
}

/** The first line of a Codex rollout. */
export function aCodexHead(id: string, at: number, parent?: string): string {
  const payload = { id, timestamp: instant(at), source: 'cli', forked_from_id: parent };
  return JSON.stringify({ timestamp: instant(at), type: 'session_meta', payload });
}

/** A count of a Codex rollout: `last` of this response, `total` of all. */
export function aCodexCount(at: number, total: number, last: number): string {
  const info = { total_token_usage: tokens(total), last_token_usage: tokens(last) };
  const payload = { type: 'token_count', info, rate_limits: null };
  return JSON.stringify({ timestamp: instant(at), type: 'event_msg', payload });
}

function tokens(count: number) {
  return {
    input_tokens: 10 * count,
    cached_input_tokens: 6 * count,
    output_tokens: count,
    reasoning_output_tokens: 0,
    total_tokens: 11 * count,
  };
}

function instant(at: number): string {
  return new Date(Date.UTC(2026, 2, 2) + at).toISOString();
}
