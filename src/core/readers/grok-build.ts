/**
 * Grok Build: one update in each line of a session's `updates.jsonl`. At the end of a turn, it has the tokens of all its
 * requests by model, including those of sub-agents that ended before. A sub-agent has a session of its own, and only its
 * `summary.json` marks it as one. A fork copies updates with a new outer time.
 *
 * xai-org/grok-build at 19d42e3, and as copied in zhangtyzzz/grok-build: `crates/codegen/xai-grok-shell/src/extensions/notification.rs`
 * at 3aee0bb (`PromptUsage`; the input includes the cache, the output reasoning),
 * `crates/codegen/xai-grok-shell/src/session/storage/jsonl/copy.rs` at 0d464dd (forks). Real lines: getagentseal/codeburn issue
 * 998. Sub-agents: omacom/omarchy pull requests 6902 and 7784.
 *
 * @module
 */
import { type LoggedResponse, type Pillars, UNKNOWN, type UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { type Fields, arePossible, countOf, countOrZero, fieldsOf } from './shared/fields.ts';
import { idOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import {
  type FileReader,
  type FileUsage,
  type Reader,
  type SkipReason,
  logFolderOf,
} from './shared/reader.ts';
import { contentOf, eachOnce, keepFullest, openLines, responseOf } from './shared/responses.ts';

/** The usage in a session's updates, or what its summary says. */
interface GrokUsage extends FileUsage {
  /** Whether the summary says that it is a sub-agent's session. */
  isSubagent: boolean;
  responses: GrokResponse[];
}

/** The tokens of one model in a turn. */
interface GrokResponse extends UsageEvent {
  /** The ID of the prompt that began the turn; empty if it has none. */
  id: string;
}

/** Reader of Grok Build's sessions. */
export const grokBuild: Reader<GrokUsage> = {
  tool: 'grok-build',
  name: 'Grok Build',
  rules: 1,
  variables: ['GROK_HOME'],
  places,
  needles: ['"turn_completed"', '"session_kind"'],
  mapping: {
    logs: '`~/.grok/sessions`, or `sessions` in the folder `GROK_HOME`',
    input: '`inputTokens` minus `cachedReadTokens` and `cacheCreationTokens`, which it includes',
    output: '`outputTokens`, including reasoning',
    cache_write: '`cacheCreationTokens`',
    cache_read: '`cachedReadTokens`',
    unknown:
      'A cache count that the log does not contain. The provider, unless the name of the model begins with `grok`.',
    once: 'The tokens of one model in a turn. They include those of sub-agents that ended before, so sessions of sub-agents do not count. A turn that is in several forks counts once.',
    missing:
      'Sub-agents that end after the turn that started them. Turns that are still running. Requests that summarize a session: their tokens are not in the log. Older versions, which only log the size of the context. Deleted sessions.',
  },
  open,
  merge,
};

/** In the folder of a session, in that of its working folder. */
const LOGS = ['*/*/updates.jsonl', '*/*/summary.json'];

function places(at: Surroundings): LogPlace[] {
  const folders = listed(at, 'GROK_HOME', under(at.home, '.grok'));
  return folders
    .flatMap((folder) => under(folder, 'sessions'))
    .map((path) => ({ path, logs: LOGS }));
}

function open(path: string, before?: GrokUsage): FileReader<GrokUsage> {
  const responses = new Map(before?.responses.map((response) => [keyOf(response), response]));
  let isSubagent = before?.isSubagent ?? false;
  return openLines(path, before, {
    read(fields, skip) {
      if (String(fields.session_kind).startsWith('subagent')) isSubagent = true;
      for (const read of readTurn(fieldsOf(fields.params), fields.timestamp)) {
        if (typeof read === 'string') skip(read);
        else if (totalOf(read) > 0) keepFullest(responses, keyOf(read), read);
      }
    },
    said: () => ({ isSubagent, responses: [...responses.values()] }),
  });
}

/** Reads what each model used in a turn. Empty if the update is not the end of a turn with usage. */
function readTurn(params: Fields | null, writtenAt: unknown): (GrokResponse | SkipReason)[] {
  const update = fieldsOf(params?.update);
  const usage = fieldsOf(update?.usage);
  if (update?.sessionUpdate !== 'turn_completed' || usage === null) return [];
  const id = idOf(update.prompt_id);
  // A fork changes the outer time.
  const timestampMs = instantOf(fieldsOf(params?._meta)?.agentTimestampMs ?? writtenAt);
  return modelsOf(usage).map(([name, counts]) => {
    const model = labelOf(name);
    const provider = /^grok/i.test(name) ? 'xai' : UNKNOWN;
    return responseOf({ id, timestampMs, provider, model, pillars: pillarsOf(fieldsOf(counts)) });
  });
}

/** The counts by model. Without them, those of the turn. */
function modelsOf(usage: Fields): [name: string, counts: unknown][] {
  const models = Object.entries(fieldsOf(usage.modelUsage) ?? {});
  return models.length > 0 ? models : [['', usage]];
}

/** The four token types; null if a count is invalid. The input includes cache reads and cache writes. */
function pillarsOf(counts: Fields | null): Pillars | null {
  if (counts === null) return null;
  const cache_write = countOf(counts.cacheCreationTokens);
  const cache_read = countOf(counts.cachedReadTokens);
  const pillars = {
    input: countOrZero(counts.inputTokens) - (cache_write ?? 0) - (cache_read ?? 0),
    output: countOrZero(counts.outputTokens),
    cache_write,
    cache_read,
  };
  return arePossible(pillars) ? pillars : null;
}

function keyOf(response: GrokResponse): string {
  const { id, timestampMs, model } = response;
  return id ? `${id}\n${model}` : `\n${timestampMs}\n${contentOf(response)}`;
}

function merge(files: readonly GrokUsage[]): LoggedResponse[] {
  const subagents = new Set(
    files.filter((file) => file.isSubagent).map(({ path }) => logFolderOf(path)),
  );
  const counted = files.filter(({ path }) => !subagents.has(logFolderOf(path)));
  return eachOnce(
    counted.flatMap(({ responses }) => responses),
    keyOf,
  );
}
