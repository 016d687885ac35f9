/**
 * Goose: a database with one row for each request in `usage_ledger`, since schema 15 (July 2026). At the first request of a
 * session that is older or was imported, Goose adds a row with the session's earlier total, which has no day.
 *
 * aaif-goose/goose: `crates/goose/src/session/session_manager.rs` at 017176d (`record_usage_metrics`, migration 15),
 * `crates/goose/src/providers/init.rs` at 021a75e, pull request 9752 (the input includes the cache).
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import {
  type Fields,
  arePossible,
  countOf,
  countOrZero,
  idOf,
  instantOf,
  labelOf,
} from './shared/fields.ts';
import {
  type LogPlace,
  type Surroundings,
  dataFolder,
  isAbsolutePath,
  under,
} from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { keepFullest, loggedAs, openLines, responseOf } from './shared/responses.ts';

/** The usage in a database. */
interface GooseUsage extends FileUsage {
  responses: GooseResponse[];
}

interface GooseResponse extends UsageEvent {
  key: string;
}

/** Reader of Goose's database. */
export const goose: Reader<GooseUsage> = {
  tool: 'goose',
  name: 'Goose',
  rules: 1,
  variables: ['GOOSE_PATH_ROOT', 'XDG_DATA_HOME'],
  places,
  needles: [],
  tables: [
    { name: 'sessions', columns: ['id'], optional: ['provider_name'] },
    {
      name: 'usage_ledger',
      columns: ['id', 'session_id', 'created_timestamp', 'model', 'input_tokens', 'output_tokens'],
      optional: ['cache_read_tokens', 'cache_write_tokens', 'cost_source'],
    },
  ],
  mapping: {
    logs: '`~/.local/share/goose/sessions`; on Windows, `%APPDATA%\\Block\\goose\\data\\sessions`',
    input: '`input_tokens` minus `cache_read_tokens` and `cache_write_tokens`, which it includes',
    output: '`output_tokens`, including reasoning',
    cache_write: '`cache_write_tokens`',
    cache_read: '`cache_read_tokens`',
    unknown: 'A cache count that the provider does not report.',
    once: 'A row of `usage_ledger`: one request of a session, a sub-agent or a summary. Copies of the database count once.',
    missing:
      'Requests before July 2026 and in imported sessions, of which Goose only has totals. Sessions that use the CLI of another assistant, such as Claude Code or Codex. That assistant has its own log. Deleted sessions. Databases, if Node.js is older than 22.13. `opbench` reports this.',
  },
  open,
  merge,
};

function places(at: Surroundings): LogPlace[] {
  const { GOOSE_PATH_ROOT = '' } = at.env;
  const folders = isAbsolutePath(GOOSE_PATH_ROOT)
    ? under(GOOSE_PATH_ROOT, 'data')
    : [
        ...(at.platform === 'win32' ? under(at.env.APPDATA, 'Block', 'goose', 'data') : []),
        ...under(dataFolder(at), 'goose'),
        ...(at.platform === 'darwin' ? ofMac(at) : []),
      ];
  return folders.map((folder) => ({ path: `${folder}/sessions/sessions.db` }));
}

/** The folders of older versions on macOS. */
function ofMac({ home }: Surroundings): string[] {
  const folder = under(home, 'Library', 'Application Support')[0];
  return [...under(folder, 'goose'), ...under(folder, 'Block', 'goose')];
}

function open(path: string): FileReader<GooseUsage> {
  const providers = new Map<unknown, unknown>();
  const responses = new Map<string, GooseResponse>();
  return openLines(path, undefined, {
    read(fields, skip) {
      if (fields.table === 'sessions') {
        providers.set(fields.id, fields.provider_name);
        return;
      }
      const read = readRow(fields, providers.get(fields.session_id));
      if (typeof read === 'string') skip(read);
      else if (read !== null && totalOf(read) > 0) keepFullest(responses, read.key, read);
    },
    said: () => ({ responses: [...responses.values()] }),
  });
}

/** Reads a row; null if it is not a request, or one of another assistant. */
function readRow(row: Fields, providerName: unknown): GooseResponse | SkipReason | null {
  const { id, session_id, created_timestamp, cost_source } = row;
  if (cost_source === 'carried_forward' || isOtherAssistant(providerName)) return null;
  const read = responseOf({
    id: idOf(session_id),
    timestampMs: instantOf(created_timestamp),
    provider: labelOf(providerName),
    model: labelOf(row.model),
    pillars: pillarsOf(row),
  });
  if (typeof read === 'string') return read;
  // Sessions and rows are numbered, so other databases have the same numbers.
  return { ...read, key: `${session_id} ${id} ${read.timestampMs}` };
}

/** Whether Goose runs another assistant, which has its own log. */
function isOtherAssistant(provider: unknown): boolean {
  const pattern = /[-_]acp$|^(claude-code|codex|cursor-agent|gemini-cli)$/;
  return typeof provider === 'string' && pattern.test(provider);
}

/** The four token types; null if a count is invalid. The input includes cache reads and cache writes. */
function pillarsOf(row: Fields): Pillars | null {
  const cache_write = countOf(row.cache_write_tokens);
  const cache_read = countOf(row.cache_read_tokens);
  const pillars = {
    input: countOrZero(row.input_tokens) - (cache_write ?? 0) - (cache_read ?? 0),
    output: countOrZero(row.output_tokens),
    cache_write,
    cache_read,
  };
  return arePossible(pillars) ? pillars : null;
}

function merge(files: readonly GooseUsage[]): LoggedResponse[] {
  const byKey = new Map<string, GooseResponse>();
  for (const { responses } of files) {
    for (const response of responses) keepFullest(byKey, response.key, response);
  }
  return [...byKey].map(([key, response]) => loggedAs(key, response));
}
