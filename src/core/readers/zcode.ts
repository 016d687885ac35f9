/**
 * ZCode: the CLI and the app share a database with one row for each attempt of a request. Failed and canceled attempts have
 * the tokens that the provider reported.
 *
 * Not open source. The columns are described by three readers that agree (codeburn pull request 537, ccusage issue 1595,
 * tokscale), with rows of real databases of September 2026: the total is input and output, so reasoning is inside output.
 *
 * @module
 */
import type { LoggedResponse, Pillars, UsageEvent } from '../schema/usage.ts';
import {
  type Fields,
  arePossible,
  countOf,
  countOrZero,
  idOf,
  instantOf,
  labelOf,
} from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, eachOnce, openResponses, responseOf } from './shared/responses.ts';

/** The usage in a database. */
interface ZCodeUsage extends FileUsage {
  responses: ZCodeResponse[];
}

interface ZCodeResponse extends UsageEvent {
  id: string;
}

/** Reader of ZCode's database. */
export const zCode: Reader<ZCodeUsage> = {
  tool: 'zcode',
  name: 'ZCode',
  rules: 1,
  variables: ['ZCODE_HOME', 'ZCODE_SESSION_DB', 'ZCODE_SESSION_DB_PATH'],
  places,
  needles: [],
  tables: [
    {
      name: 'model_usage',
      columns: ['id', 'model_id', 'started_at', 'input_tokens', 'output_tokens'],
      optional: ['provider_id', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
    },
  ],
  mapping: {
    logs: '`~/.zcode/cli/db/db.sqlite`',
    input:
      '`input_tokens` minus `cache_creation_input_tokens` and `cache_read_input_tokens`, which it includes',
    output: '`output_tokens`, including reasoning',
    cache_write: '`cache_creation_input_tokens`',
    cache_read: '`cache_read_input_tokens`',
    unknown:
      'A cache count that the database does not contain. ZCode writes 0 if a provider reports none. The provider, if it is one that you added: ZCode gives it a random ID.',
    once: 'A row of `model_usage`: one attempt of a request.',
    missing:
      'Sessions of the oldest versions, in `~/.zcode/projects`. Deleted sessions. Databases, if Node.js is older than 22.13. `opbench` reports this.',
  },
  open,
  merge,
};

function places(at: Surroundings): LogPlace[] {
  const homes = listed(at, 'ZCODE_HOME', under(at.home, '.zcode'));
  const defaults = homes.flatMap((home) => under(home, 'cli', 'db', 'db.sqlite'));
  const named = listed(at, 'ZCODE_SESSION_DB_PATH', listed(at, 'ZCODE_SESSION_DB', defaults));
  return named.map((path) => ({ path }));
}

function open(path: string): FileReader<ZCodeUsage> {
  return openResponses(path, undefined, { read: readRow, keyOf });
}

function readRow(row: Fields): ZCodeResponse | SkipReason {
  return responseOf({
    id: idOf(row.id),
    timestampMs: instantOf(row.started_at),
    provider: labelOf(providerOf(row.provider_id)),
    model: labelOf(row.model_id),
    pillars: pillarsOf(row),
  });
}

const RANDOM_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The name of a built-in provider; null if it has only a random ID. */
function providerOf(id: unknown): unknown {
  if (typeof id !== 'string') return id;
  return RANDOM_ID.test(id) ? null : id.replace(/^builtin:/, '');
}

/** The four token types; null if a count is invalid. The input includes cache reads and cache writes. */
function pillarsOf(row: Fields): Pillars | null {
  const cache_write = countOf(row.cache_creation_input_tokens);
  const cache_read = countOf(row.cache_read_input_tokens);
  const pillars = {
    input: countOrZero(row.input_tokens) - (cache_write ?? 0) - (cache_read ?? 0),
    output: countOrZero(row.output_tokens),
    cache_write,
    cache_read,
  };
  return arePossible(pillars) ? pillars : null;
}

/** The time is included in case IDs are only unique within a database. */
function keyOf(response: ZCodeResponse): string {
  return `${response.timestampMs}\n${response.id || contentOf(response)}`;
}

function merge(files: readonly ZCodeUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ responses }) => responses),
    keyOf,
  );
}
