/**
 * Roo Code, and Zoo Code, which continues it and can take over its tasks. Tasks are like Cline's, but the model is only in
 * the details that Roo Code adds to each message of the conversation. Since October 2025, the input includes the cache.
 *
 * RooCodeInc/Roo-Code: `src/core/task/Task.ts` (since 416fa57, pull request 8954), `src/shared/cost.ts` and
 * `src/core/environment/getEnvironmentDetails.ts` at 1ad5afb. Zoo Code: Piebald-AI/splitrail, pull request 205;
 * RooCodeInc/Roo-Code, pull request 12266 (handing over tasks).
 *
 * @module
 */
import { type LoggedResponse, type UsageEvent, UNKNOWN } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { type Fields, fieldsOf, instantOf, labelOf } from './shared/fields.ts';
import { under } from './shared/places.ts';
import { type FileReader, type Mapping, type Reader, logFolderOf } from './shared/reader.ts';
import { keepFullest, loggedAs, openLines } from './shared/responses.ts';
import {
  type TaskModel,
  type TaskRequest,
  type TaskUsage,
  inputWithoutCache,
  modelsByFolder,
  readTaskMessage,
  taskPlaces,
} from './shared/tasks.ts';

/** What is special about a tool that keeps tasks as Roo Code does. */
interface Relative extends Pick<Reader, 'tool' | 'name'> {
  /** The IDs of its extensions, in lower case. */
  extensions: readonly string[];
  /** Another folder with tasks, in the home folder. */
  folder: readonly string[];
  mapping: Pick<Mapping, 'logs' | 'missing'>;
}

/** The last message is that of the conversation, whose details name the model. */
const FILES = ['ui_messages.json', 'api_conversation_history.json'];

/** A reader of a tool that keeps tasks as Roo Code does. */
export function rooReader({ extensions, folder, mapping, ...tool }: Relative): Reader<TaskUsage> {
  return {
    ...tool,
    rules: 1,
    variables: [],
    places: (at) => [
      ...taskPlaces(at, extensions, FILES),
      ...(folder.length === 0 ? [] : under(at.home, ...folder)).map((path) => ({
        path,
        logs: FILES.map((file) => `tasks/*/${file}`),
      })),
    ],
    needles: ['"api_req_started"', '</model>'],
    arrays: true,
    mapping: {
      input:
        '`tokensIn` minus `cacheReads` and `cacheWrites`, if it is large enough to include them. Before October 2025, some providers reported them separately',
      output: '`tokensOut`, including reasoning if the provider does',
      cache_write: '`cacheWrites`',
      cache_read: '`cacheReads`',
      unknown: `A cache count that the message does not contain. Providers: ${tool.name} stores only their protocol.`,
      once: 'A request of a task. Copies of a task in several editors count once.',
      ...mapping,
    },
    open,
    merge,
  };
}

/** Reader of Roo Code's and Zoo Code's tasks. */
export const rooCode = rooReader({
  tool: 'roo-code',
  name: 'Roo Code',
  extensions: [
    'rooveterinaryinc.roo-cline',
    'rooveterinaryinc.roo-code-nightly',
    'zoocodeorganization.zoo-code',
  ],
  folder: ['.vscode-mock', 'global-storage'],
  mapping: {
    logs: '`rooveterinaryinc.roo-cline` in the storage of VS Code and its relatives. So is `zoocodeorganization.zoo-code`: Zoo Code counts as Roo Code, because it can take over its tasks',
    missing:
      'Summaries of the conversation, of which only the cost is stored. Deleted tasks. Tasks in a folder that was chosen in the settings.',
  },
});

function open(path: string): FileReader<TaskUsage> {
  const requests: TaskRequest[] = [];
  const models: TaskModel[] = [];
  return openLines(path, undefined, {
    read(fields, skip) {
      models.push(...modelsIn(fields));
      const read = readTaskMessage(path, fields, ['api_req_started']);
      if (typeof read === 'string') skip(read);
      else if (read !== null && totalOf(read) > 0) requests.push(read);
    },
    said: () => ({ requests, models }),
  });
}

/** After the name of the mode, so that other texts are not taken for it. */
const MODEL = /<\/name>\n<model>([^<\n]{1,256})<\/model>/g;

/** The model in the details of a user's message. */
function modelsIn({ role, ts, content }: Fields): TaskModel[] {
  const atMs = instantOf(ts);
  if (role !== 'user' || Number.isNaN(atMs)) return [];
  const found = textsIn(content).flatMap((text) => [...text.matchAll(MODEL)]);
  const model = labelOf(found.at(-1)?.[1]);
  return found.length === 0 || model === null ? [] : [{ atMs, provider: UNKNOWN, model }];
}

function textsIn(content: unknown): string[] {
  const blocks = Array.isArray(content) ? content.map((block) => fieldsOf(block)?.text) : [content];
  return blocks.filter((text) => typeof text === 'string');
}

function merge(files: readonly TaskUsage[]): LoggedResponse[] {
  const models = modelsByFolder(files);
  const byKey = new Map<string, UsageEvent>();
  for (const { path, requests } of files) {
    const folder = models.get(logFolderOf(path)) ?? [];
    const ordered = requests.toSorted((a, b) => a.timestampMs - b.timestampMs);
    for (const [at, request] of ordered.entries()) {
      const model = modelBefore(ordered[at + 1], folder) ?? request.model;
      keepFullest(byKey, request.key, { ...request, model, input: inputWithoutCache(request) });
    }
  }
  return [...byKey].map(([key, event]) => loggedAs(key, event));
}

/** The model of the last message before the next request. A message is stored right after its request. */
function modelBefore(
  next: TaskRequest | undefined,
  models: readonly TaskModel[],
): string | undefined {
  const untilMs = next?.timestampMs ?? Infinity;
  return (models.findLast(({ atMs }) => atMs < untilMs) ?? models[0])?.model;
}
