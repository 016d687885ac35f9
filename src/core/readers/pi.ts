/**
 * pi: one JSON object in each line. The first one describes the session. A fork copies the lines of its parent unchanged.
 * Tools and summaries can use a model, too. All branches of a session count, because their tokens were spent.
 *
 * badlogic/pi-mono at 83378aa: `packages/coding-agent/src/{config,core/session-manager}.ts`, `docs/session.md`;
 * earendil-works/pi: `packages/coding-agent/docs/session-format.md`, pull request 2588 (Google's input); ccusage issues 1634
 * and 1698 (forks, copies of sub-agents).
 *
 * @module
 */
import { type LoggedResponse, type Pillars, UNKNOWN, type UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import {
  type Fields,
  arePossible,
  countOf,
  countOrZero,
  fieldsOf,
  idOf,
  instantOf,
  labelOf,
} from './shared/fields.ts';
import { type LogPlace, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Mapping, Reader, SkipReason } from './shared/reader.ts';
import { contentOf, eachOnce, keepFullest, openLines, responseOf } from './shared/responses.ts';

/** The usage in one session file. */
interface PiUsage extends FileUsage {
  /** Whether the file begins as a session does. Copies by extensions do not. */
  is_session: boolean;
  /** The latest model, which later summaries use. */
  provider: string;
  model: string;
  responses: PiResponse[];
}

interface PiResponse extends UsageEvent {
  /** The ID of the line; empty in old versions. */
  entry: string;
  /** The provider's ID of the response; empty if there is none. */
  id: string;
}

type Source = Pick<UsageEvent, 'provider' | 'model'>;

/** What is special about a tool with sessions like those of pi. */
type Relative = Pick<Reader, 'tool' | 'name' | 'variables' | 'places'> & {
  mapping: Pick<Mapping, 'logs'> & Partial<Mapping>;
};

/** A reader of a tool with sessions like those of pi. */
export function piReader({ mapping, ...tool }: Relative): Reader<PiUsage> {
  return {
    ...tool,
    rules: 1,
    needles: ['"usage"', '"model_change"', '"type":"session"'],
    mapping: { ...MAPPING, ...mapping },
    open,
    merge,
  };
}

const MAPPING: Omit<Mapping, 'logs'> = {
  input:
    '`input`. With Google models in versions before March 2026, `input` minus `cacheRead`, which it includes',
  output: '`output`, including reasoning',
  cache_write: '`cacheWrite`',
  cache_read: '`cacheRead`',
  unknown: 'A cache count that the line does not contain. 0 if a provider reports none.',
  once: 'The line of a response and its copies in forks. Summaries, and models that tools use, count separately. All branches of a session count.',
  missing: 'Deleted sessions. Copies of sub-agents that are not sessions.',
};

/** The places of sessions in folders. */
export function sessionPlaces(folders: readonly string[]): LogPlace[] {
  const except = ['**/subagent-artifacts/**/*'];
  return folders.map((path) => ({ path, logs: ['**/*.jsonl'], except }));
}

/** Reader of pi's sessions. */
export const pi = piReader({
  tool: 'pi',
  name: 'pi',
  variables: ['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR'],
  places(at) {
    const agents = listed(at, 'PI_CODING_AGENT_DIR', under(at.home, '.pi', 'agent'));
    const sessions = agents.flatMap((agent) => under(agent, 'sessions'));
    return sessionPlaces(listed(at, 'PI_CODING_AGENT_SESSION_DIR', sessions));
  },
  mapping: { logs: '`~/.pi/agent/sessions`' },
});

const NOTHING_READ = { is_session: false, provider: UNKNOWN, model: UNKNOWN };

function open(path: string, before?: PiUsage): FileReader<PiUsage> {
  const responses = new Map(before?.responses.map((response) => [keyOf(response), response]));
  let { is_session, provider, model } = before ?? NOTHING_READ;

  function readEntry(entry: Fields, skip: (reason: SkipReason) => void): void {
    const source = sourceIn(entry);
    if (source !== null) {
      provider = labelOf(source.provider) ?? UNKNOWN;
      model = labelOf(source.modelId ?? source.model) ?? UNKNOWN;
    }
    const read = readResponse(entry, { provider, model });
    if (typeof read === 'string') skip(read);
    else if (read !== null && totalOf(read) > 0) keepFullest(responses, keyOf(read), read);
  }

  return openLines(path, before, {
    read(entry, skip) {
      if (entry.type === 'session') is_session = true;
      else if (is_session) readEntry(entry, skip);
    },
    said: () => ({ is_session, provider, model, responses: [...responses.values()] }),
  });
}

/** The fields that name the model of later lines; null if there are none. */
function sourceIn(entry: Fields): Fields | null {
  if (entry.type === 'model_change') return entry;
  const message = fieldsOf(entry.message);
  return message?.role === 'assistant' ? message : null;
}

/** Lines with usage of their own. Messages that a summary retains are copies. */
function usageOf({ type, message, usage }: Fields): Fields | null | undefined {
  if (type === 'compaction' || type === 'branch_summary')
    return usage ? fieldsOf(usage) : undefined;
  const { role, usage: own } = fieldsOf(message) ?? {};
  const isUser = role !== 'assistant' && role !== 'toolResult';
  return type !== 'message' || isUser || !own ? undefined : fieldsOf(own);
}

/** Reads a line; null if it has no usage. */
function readResponse(entry: Fields, latest: Source): PiResponse | SkipReason | null {
  const usage = usageOf(entry);
  if (usage === undefined) return null;
  const message = fieldsOf(entry.message) ?? {};
  const source = message.role === 'assistant' ? sourceOf(message) : { id: '', ...latest };
  const pillars = usage && pillarsOf(usage, source.provider ?? '');
  const timestampMs = instantOf(entry.timestamp ?? message.timestamp);
  const read = responseOf({ timestampMs, ...source, pillars });
  if (typeof read === 'string') return read;
  const entryId = idOf(entry.id);
  return entryId === null ? 'id' : { ...read, entry: entryId };
}

function sourceOf({ responseId, provider, model }: Fields) {
  return { id: idOf(responseId), provider: labelOf(provider), model: labelOf(model) };
}

/** The four token types; null if a count is invalid. */
function pillarsOf(usage: Fields, provider: string): Pillars | null {
  const input = countOrZero(usage.input);
  const output = countOrZero(usage.output);
  const cache_read = countOf(usage.cacheRead);
  // The total shows that the input includes the cache, as with Google models in older versions.
  const isWithin = provider.startsWith('google') && countOf(usage.totalTokens) === input + output;
  const pillars = {
    input: input - (isWithin ? (cache_read ?? 0) : 0),
    output,
    cache_write: countOf(usage.cacheWrite),
    cache_read,
  };
  return arePossible(pillars) ? pillars : null;
}

/** Copies have the same time. IDs alone are not unique: some providers reuse them, and those of lines are short. */
function keyOf(response: PiResponse): string {
  const { id, entry, timestampMs, provider, model } = response;
  if (id !== '') return `${provider}\n${id}\n${timestampMs}`;
  if (entry !== '') return `${entry}\n${timestampMs}\n${provider}\n${model}`;
  return `\n${timestampMs}\n${contentOf(response)}`;
}

function merge(files: readonly PiUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ responses }) => responses),
    keyOf,
  );
}
