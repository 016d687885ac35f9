/** How the logs of each tool become counts, as the readers of `core/readers` do it. */

interface ToolMapping {
  /** As a heading, and as the board names the tool; null where the source names it. */
  title: string;
  tool: string | null;
  /** What each count is read from; code stands between backticks. */
  counts: { input: string; output: string; cache_write: string; cache_read: string };
  /** What stays null, and why. */
  unknown: string;
  once: string;
  unseen: string;
}

export const TOOL_MAPPINGS: readonly ToolMapping[] = [
  {
    title: 'Claude Code',
    tool: 'claude-code',
    counts: {
      input: '`input_tokens`: what was neither read from the cache nor written to it',
      output: '`output_tokens`, thinking included',
      cache_write:
        '`cache_creation_input_tokens`, or `ephemeral_5m_input_tokens` and `ephemeral_1h_input_tokens` together where that is more',
      cache_read: '`cache_read_input_tokens`',
    },
    unknown: 'A cache count that the line does not hold. Some gateways leave both out.',
    once: 'A transcript repeats a response with each block of its content, while it streams, and when a session is resumed, forked or compacted. All lines of one response are one: the main line before what a sub-agent echoes, then the one with most output, and that line as a whole. Advisors, and an attempt that was refused before another model took over, count beside it under their own model.',
    unseen:
      'Transcripts that Claude Code has deleted, after 30 days unless told otherwise, and requests that leave no line, such as titles and compaction.',
  },
  {
    title: 'Codex',
    tool: 'codex',
    counts: {
      input:
        '`input_tokens` less `cached_input_tokens` and `cache_write_input_tokens`, which it contains',
      output: '`output_tokens`, reasoning included',
      cache_write: '`cache_write_input_tokens`',
      cache_read: '`cached_input_tokens`',
    },
    unknown:
      'Cache writes of versions that do not report them. What those write to the cache is input there, and dev10x is null.',
    once: 'The count is repeated when rate limits are refreshed, and replayed when a session is forked. A running total and a last response that belong together are one response, in a session and all forks of it. Without a last response the growth of the total counts.',
    unseen:
      'The part of a fork that its lost parent told. Equal counts in unrelated sessions are two responses.',
  },
  {
    title: 'Gemini CLI',
    tool: 'gemini-cli',
    counts: {
      input: '`input` less `cached`, which it contains, and `tool`',
      output: '`output` and `thoughts`',
      cache_write: 'Not reported',
      cache_read: '`cached`',
    },
    unknown: 'Cache writes. What is written to the cache is input there, and dev10x is null.',
    once: 'A message is written again when its tokens and tool results arrive, and when a session is resumed or its history is rewritten. All copies of a message of a session are one. What was rewound was spent.',
    unseen:
      'Sessions that were deleted, and requests that leave no message, such as compression and summaries.',
  },
  {
    title: 'OpenCode',
    tool: 'opencode',
    counts: {
      input: '`input`: what was neither read from the cache nor written to it',
      output: '`output` and `reasoning`; `output` alone where `total` says that it holds both',
      cache_write: '`cache.write`',
      cache_read: '`cache.read`',
    },
    unknown:
      'A cache count that the message does not hold. OpenCode writes 0 where a provider reports none.',
    once: 'A message that was taken over from a file into a database, or into a newer table, is one; so are the copies that a fork makes, which keep the times of the original.',
    unseen:
      'Sessions that were deleted. Databases, where Node.js is older than 22.13: `opbench` says so.',
  },
  {
    title: 'Copilot CLI',
    tool: 'copilot-cli',
    counts: {
      input: '`inputTokens` less `cacheReadTokens` and `cacheWriteTokens`, which it contains',
      output: '`outputTokens`, reasoning included',
      cache_write: '`cacheWriteTokens`',
      cache_read: '`cacheReadTokens`',
    },
    unknown: 'A cache count that the log does not hold.',
    once: 'Only the end of a session tells its counts, as running totals. What was added since the end before counts on the day of that end; where a count went back, the totals had begun anew. Copies of a session are one.',
    unseen:
      'A session that is still open, that crashed, or that was left by starting a new one; in older versions, a part of a session whose later parts were all larger.',
  },
  {
    title: 'Reports of ccusage, pasted',
    tool: null,
    counts: {
      input: '`inputTokens`, less `cachedInputTokens` where the report has that',
      output: '`outputTokens`',
      cache_write: '`cacheCreationTokens`',
      cache_read: '`cacheReadTokens` or `cachedInputTokens`',
    },
    unknown:
      'A cache count of 0 of a tool that does not report it: ccusage writes 0 for both. Claude Code reports both counts, Codex cache reads.',
    once: 'As ccusage counts. What no model of a row accounts for is of an unknown model; rows that mix tools, and reports by week, month or block, are refused.',
    unseen: 'The UTC day, unless it ran with `--timezone UTC`: it parts days by its own clock.',
  },
  {
    title: 'Log lines and numbers, pasted',
    tool: null,
    counts: {
      input: 'Lines of Claude Code and Codex as above; else the number called input',
      output: 'The number called output',
      cache_write: 'The number called cache write or cache creation',
      cache_read: 'The number called cache read',
    },
    unknown: 'A cache count that is not named. Four numbers without names are taken in this order.',
    once: 'Each response of the lines that were pasted.',
    unseen:
      'What was not pasted: a day whose log is pasted in part is counted too low. Numbers alone tell no tool, model or day.',
  },
];
