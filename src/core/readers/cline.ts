/**
 * Cline: since version 4 of the extension and 3 of the CLI, a document with the messages of each session and each of its
 * sub-agents, which is written again after every turn. Before that, tasks. A task that is continued becomes a session, with
 * the total of the task at its last message. The new messages are then also added to the task, without the request.
 *
 * cline/cline: `sdk/packages/shared/src/llms/messages.ts` at 0f667f0, `apps/vscode/src/sdk/message-translator.ts` at 0081dd3
 * (`inputTokens` includes the cache), `sdk/packages/core/src/services/session-data.ts` at 07e7f2c,
 * `sdk/packages/shared/src/storage/paths.ts` at 01ffc20, `apps/vscode/src/sdk/legacy-task-handling.ts` at 2bf58a4 and
 * `legacy-task-writeback.ts` at b769386. Tasks: `apps/vscode/src/shared/getApiMetrics.ts` at 0f667f0,
 * `src/core/context/context-tracking/ModelContextTracker.ts` at 1bf4a17, `src/core/api/providers/openai.ts` at 0de6545.
 *
 * @module
 */
import { type LoggedResponse, type Pillars, type UsageEvent, UNKNOWN } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { type Fields, areOneDay, arePossible, countOf, countOrZero } from './shared/fields.ts';
import { fieldsOf, instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, under } from './shared/places.ts';
import { type FileReader, type Reader, type SkipReason, logFolderOf } from './shared/reader.ts';
import { contentOf, keepFullest, loggedAs, openLines, responseOf } from './shared/responses.ts';
import {
  type TaskModel,
  type TaskRequest,
  type TaskUsage,
  inputWithoutCache,
  modelsByFolder,
  readTaskMessage,
  taskPlaces,
} from './shared/tasks.ts';

/** The usage in one file of a session or task. */
interface ClineUsage extends TaskUsage {
  responses: UsageEvent[];
  /** Whether this is the file that marks a task to which messages of a session were added. */
  hasAdded: boolean;
}

/** Reader of Cline's sessions and tasks. */
export const cline: Reader<ClineUsage> = {
  tool: 'cline',
  name: 'Cline',
  rules: 1,
  variables: ['CLINE_DATA_DIR', 'CLINE_DIR', 'CLINE_SESSION_DATA_DIR'],
  places,
  needles: [
    '"metrics"',
    '"api_req_started"',
    '"subagent_usage"',
    '"model_usage"',
    '"baseUiMessageCount"',
  ],
  arrays: true,
  mapping: {
    logs: '`~/.cline/data`; for tasks of the extension, `saoudrizwan.claude-dev` in the storage of VS Code and its relatives',
    input:
      '`inputTokens` minus `cacheReadTokens` and `cacheWriteTokens`, which it includes. In tasks, `tokensIn`, without the cache if it can include it and the provider is not known to report it separately',
    output: '`outputTokens`, including reasoning; in tasks, `tokensOut`',
    cache_write: '`cacheWriteTokens`; in tasks, `cacheWrites`',
    cache_read: '`cacheReadTokens`; in tasks, `cacheReads`',
    unknown:
      'A cache count that the message does not contain. Cache writes of tasks with the provider `openai`, because they contain other input.',
    once: 'A message of a session or sub-agent, or a request of a task. Copies of it count once. So do messages that Cline adds to the task of a continued session.',
    missing:
      'Requests that were removed before a scan, by restoring a checkpoint or by summarizing the conversation: only their total remains. Thoughts of Gemini in tasks. Sub-agents of a task that do not end on the UTC day of the request before them.',
  },
  open,
  merge,
};

const TASK_FILES = ['ui_messages.json', 'task_metadata.json', 'sdk_writeback.json'];

function places(at: Surroundings): LogPlace[] {
  const { CLINE_DATA_DIR, CLINE_DIR, CLINE_SESSION_DATA_DIR } = at.env;
  const data = CLINE_DATA_DIR || under(CLINE_DIR || under(at.home, '.cline')[0], 'data')[0];
  const sessions = CLINE_SESSION_DATA_DIR || under(data, 'sessions')[0];
  return [
    ...under(sessions).map((path) => ({ path, logs: ['*/*.messages.json'] })),
    ...under(data, 'tasks').map((path) => ({ path, logs: TASK_FILES.map((file) => `*/${file}`) })),
    ...taskPlaces(at, ['saoudrizwan.claude-dev'], TASK_FILES),
  ];
}

function open(path: string): FileReader<ClineUsage> {
  const responses = new Map<string, UsageEvent>();
  const requests: TaskRequest[] = [];
  const models: TaskModel[] = [];
  let hasAdded = false;
  let askedMs = NaN;
  return openLines(path, undefined, {
    read(fields, skip) {
      hasAdded ||= fields.baseUiMessageCount !== undefined;
      models.push(...listOf(fields.model_usage).flatMap(readModel));
      for (const message of listOf(fields.messages)) {
        const read = readMessage(message);
        if (typeof read === 'string') skip(read);
        else if (read !== null && totalOf(read) > 0) keepFullest(responses, keyOf(read), read);
      }
      if (fields.say === 'api_req_started') askedMs = instantOf(fields.ts);
      const read = readRequest(path, fields, askedMs);
      if (typeof read === 'string') skip(read);
      else if (read !== null) requests.push(read);
    },
    said: () => ({ responses: [...responses.values()], requests, models, hasAdded }),
  });
}

function listOf(value: unknown): Fields[] {
  const list = Array.isArray(value) ? value.map(fieldsOf) : [];
  return list.filter((fields) => fields !== null);
}

function readModel({ ts, model_id, model_provider_id }: Fields): TaskModel[] {
  const atMs = instantOf(ts);
  const provider = labelOf(model_provider_id);
  const model = labelOf(model_id);
  return Number.isNaN(atMs) || provider === null || model === null
    ? []
    : [{ atMs, provider, model }];
}

/** Reads a message of a session; null if it is not a response. */
function readMessage({ role, metrics, modelInfo, ts }: Fields): UsageEvent | SkipReason | null {
  const usage = fieldsOf(metrics);
  const model = fieldsOf(modelInfo);
  if (role !== 'assistant' || usage === null || isOfTask(model, ts)) return null;
  return responseOf({
    id: '',
    timestampMs: instantOf(ts),
    provider: labelOf(model?.provider),
    model: labelOf(model?.id),
    pillars: pillarsOf(usage),
  });
}

/** Whether a message has the total of the task that the session continues. It has no day. */
function isOfTask(model: Fields | null, ts: unknown): boolean {
  return model?.provider === UNKNOWN || (model === null && (ts ?? null) === null);
}

/** The four token types; null if a count is invalid. The input includes cache reads and cache writes. */
function pillarsOf(usage: Fields): Pillars | null {
  const cache_write = countOf(usage.cacheWriteTokens);
  const cache_read = countOf(usage.cacheReadTokens);
  const input = countOrZero(usage.inputTokens) - (cache_write ?? 0) - (cache_read ?? 0);
  const pillars = {
    input: Math.max(0, input),
    output: countOrZero(usage.outputTokens),
    cache_write,
    cache_read,
  };
  return arePossible(pillars) ? pillars : null;
}

/** Without the ID, because some messages get another one when they are written again. */
function keyOf(response: UsageEvent): string {
  return `${response.timestampMs}\n${contentOf(response)}`;
}

/**
 * Reads a request of a task, or the total of its sub-agents. They start after the request before them.
 *
 * @param askedMs The time of that request, in milliseconds since the epoch; NaN if there is none.
 */
function readRequest(
  path: string,
  message: Fields,
  askedMs: number,
): TaskRequest | SkipReason | null {
  const read = readTaskMessage(path, message, ['api_req_started', 'subagent_usage']);
  if (read === null || typeof read === 'string') return read;
  if (totalOf(read) === 0) return null;
  const isTotal = message.say === 'subagent_usage';
  return isTotal && !areOneDay(askedMs, read.timestampMs) ? 'spans_days' : read;
}

function merge(files: readonly ClineUsage[]): LoggedResponse[] {
  const models = modelsByFolder(files);
  const continued = new Set(
    files.filter(({ hasAdded }) => hasAdded).map(({ path }) => logFolderOf(path)),
  );
  const byKey = new Map<string, UsageEvent>();
  for (const { path, responses, requests } of files) {
    const folder = logFolderOf(path);
    for (const response of responses) keepFullest(byKey, keyOf(response), response);
    for (const request of requests) {
      if (continued.has(folder) && !request.isDescribed) continue;
      keepFullest(byKey, request.key, eventOf(request, models.get(folder) ?? []));
    }
  }
  return [...byKey].map(([key, event]) => loggedAs(key, event));
}

/** Providers that report the cache separately in tasks. */
const SEPARATE = new Set(['anthropic', 'cline', 'deepseek', 'gemini', 'openrouter']);

function eventOf(request: TaskRequest, models: readonly TaskModel[]): UsageEvent {
  const { timestampMs, output, cache_read } = request;
  const { provider, model } = namesOf(request, models);
  const event = { timestampMs, provider, model, output, cache_read };
  if (SEPARATE.has(provider))
    return { ...event, input: request.input, cache_write: request.cache_write };
  if (provider !== 'openai')
    return { ...event, input: inputWithoutCache(request), cache_write: request.cache_write };
  // With this provider, cache writes are input that was not in the cache.
  const input = inputWithoutCache({ ...request, cache_write: null });
  return { ...event, input, cache_write: null };
}

/** The names in the request, else those of the last model before it, else of the first one. */
function namesOf(request: TaskRequest, models: readonly TaskModel[]): Omit<TaskModel, 'atMs'> {
  if (request.model !== UNKNOWN) return request;
  return models.findLast(({ atMs }) => atMs <= request.timestampMs) ?? models[0] ?? request;
}
