/**
 * GitHub Copilot CLI and app: since 2026, a database with one row for each request. Before, only the end of a session has
 * input and cache counts, as running totals by model, in a file with one JSON object in each line. A resumed session ends
 * again. Newer versions then continue the totals, and older ones start from zero. If every count grew, the totals are
 * assumed to have continued. The totals omit what precedes a compaction, so the rows count instead.
 *
 * Not open source. The columns, and that the input includes both caches: junhoyeo/tokscale pull request 1346,
 * chattymin/PokeTokenBar pull request 155, getagentseal/codeburn pull request 946 (compactions), with rows of real databases
 * of 2026. Times are `datetime('now')` of SQLite or RFC 3339.
 *
 * @module
 */
import type { LoggedResponse, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import {
  PROVIDER,
  type SessionFile,
  readShutdown,
  spentInSessions,
  totalIn,
} from './copilot-shutdowns.ts';
import { type Fields, arePossible, fieldsOf, idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, eachOnce, openLines, responseOf } from './shared/responses.ts';

/** The usage in one session's events, or in the database. */
interface CopilotUsage extends FileUsage, SessionFile {
  requests: Request[];
}

/** A row of the database. */
interface Request extends UsageEvent {
  session: string;
}

const TABLE = 'assistant_usage_events';

/** Reader of Copilot CLI's database and sessions. */
export const copilotCli: Reader<CopilotUsage> = {
  tool: 'copilot-cli',
  name: 'Copilot CLI',
  rules: 2,
  variables: ['COPILOT_HOME'],
  places,
  needles: ['"session.shutdown"', '"session.start"'],
  tables: [
    {
      name: TABLE,
      columns: [
        ...['session_id', 'model', 'created_at', 'input_tokens', 'output_tokens'],
        ...['cache_read_tokens', 'cache_write_tokens'],
      ],
    },
  ],
  mapping: {
    logs: '`session-store.db` and `session-state` in `~/.copilot`',
    input:
      '`input_tokens` minus `cache_read_tokens` and `cache_write_tokens`, which it includes (`inputTokens`, `cacheReadTokens` and `cacheWriteTokens` at the end of a session)',
    output: '`output_tokens` (`outputTokens`), including reasoning',
    cache_write: '`cache_write_tokens` (`cacheWriteTokens`)',
    cache_read: '`cache_read_tokens` (`cacheReadTokens`)',
    unknown: 'A cache count that the log does not contain.',
    once: `A row of \`${TABLE}\`: one request. Older versions log only running totals when a session ends: tokens added since the previous end count on the day of that end. If a count is lower than at the previous end, the totals have restarted from zero. Totals of a session with rows do not count from the first row of the table on. Copies of a session count as one.`,
    missing:
      'In versions without the database, and if Node.js is older than 22.13: sessions that are still open, that crashed, or that were left by starting a new one, and what precedes a compaction. In older versions, totals restart when a session is resumed. If every count is larger at the next end, the earlier part is not counted.',
  },
  open,
  merge,
};

function places({ env, home }: Surroundings): LogPlace[] {
  return under(env.COPILOT_HOME || under(home, '.copilot')[0]).map((path) => {
    return {
      path,
      logs: ['session-store.db', 'session-state/*.jsonl', 'session-state/*/events.jsonl'],
    };
  });
}

function open(path: string, before?: CopilotUsage): FileReader<CopilotUsage> {
  const shutdowns = [...(before?.shutdowns ?? [])];
  const requests = [...(before?.requests ?? [])];
  let session = before?.session ?? '';
  return openLines(path, before, {
    read(fields, skip) {
      if (fields.table === TABLE) {
        const read = readRequest(fields);
        if (typeof read === 'string') skip(read);
        else if (totalOf(read) > 0) requests.push(read);
        return;
      }
      const data = fieldsOf(fields.data);
      if (data === null) return;
      if (fields.type === 'session.start') session ||= idOf(data.sessionId) ?? '';
      if (fields.type !== 'session.shutdown') return;
      const read = readShutdown(fields, data, skip);
      if (typeof read === 'string') skip(read);
      else shutdowns.push(read);
    },
    said: () => ({ session, shutdowns: [...shutdowns], requests: [...requests] }),
  });
}

/** Reads a row. The input includes cache reads and cache writes. */
function readRequest(row: Fields): Request | SkipReason {
  const { session_id, created_at } = row;
  // SQLite writes a space before the time.
  const time = typeof created_at === 'string' ? created_at.replace(' ', 'T') : created_at;
  const total = totalIn({
    input: row.input_tokens,
    output: row.output_tokens,
    cache_write: row.cache_write_tokens,
    cache_read: row.cache_read_tokens,
  });
  const read = responseOf({
    id: idOf(session_id),
    timestampMs: instantOf(time),
    provider: PROVIDER,
    model: labelOf(row.model),
    pillars: arePossible(total) ? total : null,
  });
  return typeof read === 'string' ? read : { ...read, session: read.id };
}

function merge(files: readonly CopilotUsage[]): LoggedResponse[] {
  const requests = files.flatMap((file) => file.requests);
  return [...eachOnce(requests, keyOf), ...spentInSessions(files, requests)];
}

/** A copy of the database, or of a session, may give a request another ID. Equal requests at the same time count once. */
function keyOf(request: Request): string {
  return `${request.timestampMs}\n${contentOf(request)}`;
}
