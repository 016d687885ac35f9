/**
 * Kimi Code: one record in each line of an agent's `wire.jsonl`. A `usage.record` has the tokens of one request, whatever
 * its scope, under the name that the model has in the settings. The `llm.request` before it has the model's own name. A
 * fork copies records. A damaged file is cut, and kept as `wire.jsonl.bak`.
 *
 * MoonshotAI/kimi-code: `packages/agent-core-v2/docs/wire-manifest.d.ts` at 02ed96d,
 * `packages/agent-core-v2/docs/migration/reference/wire-and-data.md` at b8422f2 (folders, forks, repairs),
 * `packages/agent-core/src/agent/usage/index.ts` at 3ef83ed,
 * `packages/agent-core-v2/src/agent/llmRequester/llmRequesterService.ts` at 026c6ee (`provider` is the protocol). The folder of
 * Kimi Work: getagentseal/codeburn and junhoyeo/tokscale.
 *
 * @module
 */
import { type LoggedResponse, type Pillars, UNKNOWN, type UsageEvent } from '../schema/usage.ts';
import { totalOf } from '../domain/counting/bucket.ts';
import { type Fields, arePossible, countOf, countOrZero, fieldsOf } from './shared/fields.ts';
import { instantOf, labelOf } from './shared/fields.ts';
import { type LogPlace, type Surroundings, listed, under } from './shared/places.ts';
import type { FileReader, FileUsage, Reader, SkipReason } from './shared/reader.ts';
import { eachOnce, keepFullest, openLines, responseOf } from './shared/responses.ts';

/** The usage in an agent's file. */
interface KimiCodeUsage extends FileUsage {
  /** The models requested so far, by their names in the settings. */
  models: [alias: string, source: Source][];
  responses: KimiCodeResponse[];
}

/** A model of a request, and whether the request says that it is one of Kimi's. */
type Source = { model: string; isOfKimi: boolean };

interface KimiCodeResponse extends UsageEvent {
  /** The name in the settings. */
  alias: string;
}

/** Reader of Kimi Code's sessions. */
export const kimiCode: Reader<KimiCodeUsage> = {
  tool: 'kimi-code',
  name: 'Kimi Code',
  rules: 1,
  variables: ['KIMI_CODE_HOME'],
  places,
  needles: ['"usage.record"', '"llm.request"'],
  mapping: {
    logs: '`~/.kimi-code/sessions`, or `sessions` in the folder `KIMI_CODE_HOME`; on macOS also `~/Library/Application Support/kimi-desktop` (Kimi Work)',
    input: '`inputOther`: tokens neither read from the cache nor written to it',
    output: '`output`, including reasoning',
    cache_write: '`inputCacheCreation`',
    cache_read: '`inputCacheRead`',
    unknown:
      'A cache count that the log does not contain. Kimi Code writes 0 if a provider reports none. The provider, unless it is Kimi: the log names only its protocol.',
    once: 'A `usage.record`: one request. A fork repeats the records of the session, and they count once.',
    missing:
      'Requests that failed or were stopped. Reasoning of Gemini models, which Kimi Code leaves out of the output. Deleted sessions.',
  },
  open,
  merge,
};

/** In the folder of an agent, in that of its session, in that of the working folder. */
const LOGS = ['*/*/agents/*/wire.jsonl', '*/*/agents/*/wire.jsonl.bak'];

const KIMI_WORK =
  'Library/Application Support/kimi-desktop/daimon-share/daimon/runtime/kimi-code/home';

function places(at: Surroundings): LogPlace[] {
  const folders = [
    ...listed(at, 'KIMI_CODE_HOME', under(at.home, '.kimi-code')),
    ...(at.platform === 'darwin' ? under(at.home, KIMI_WORK) : []),
  ];
  return folders
    .flatMap((folder) => under(folder, 'sessions'))
    .map((path) => ({ path, logs: LOGS }));
}

function open(path: string, before?: KimiCodeUsage): FileReader<KimiCodeUsage> {
  const models = new Map(before?.models);
  const responses = new Map(before?.responses.map((response) => [keyOf(response), response]));
  return openLines(path, before, {
    read(fields, skip) {
      if (fields.type === 'llm.request') takeRequest(models, fields);
      if (fields.type !== 'usage.record') return;
      const read = readRecord(models, fields);
      if (typeof read === 'string') skip(read);
      else if (totalOf(read) > 0) keepFullest(responses, keyOf(read), read);
    },
    said: () => ({ models: [...models], responses: [...responses.values()] }),
  });
}

/** Notes which model a name stands for, in place. */
function takeRequest(models: Map<string, Source>, request: Fields): void {
  const alias = labelOf(request.modelAlias);
  const model = labelOf(request.model);
  if (alias === null || model === null || alias === UNKNOWN || model === UNKNOWN) return;
  models.set(alias, { model, isOfKimi: request.provider === 'kimi' });
}

function readRecord(
  models: ReadonlyMap<string, Source>,
  record: Fields,
): KimiCodeResponse | SkipReason {
  const alias = labelOf(record.model);
  if (alias === null) return 'name';
  const source = models.get(alias);
  const read = responseOf({
    id: '',
    timestampMs: instantOf(record.time),
    provider: source?.isOfKimi || OF_KIMI.test(alias) ? 'kimi' : UNKNOWN,
    model: labelOf(source?.model ?? alias.replace(OF_KIMI, '')),
    pillars: pillarsOf(record.usage),
  });
  return typeof read === 'string' ? read : { ...read, alias };
}

/** How the names of Kimi's own models begin in the settings. */
const OF_KIMI = /^kimi-code\//;

/** The four token types; null if a count is invalid. */
function pillarsOf(value: unknown): Pillars | null {
  const usage = fieldsOf(value);
  if (usage === null) return null;
  const told = {
    input: countOrZero(usage.inputOther),
    output: countOrZero(usage.output),
    cache_write: countOf(usage.inputCacheCreation),
    cache_read: countOf(usage.inputCacheRead),
  };
  return arePossible(told) ? told : null;
}

/** The parts of a record, which a fork copies. They do not depend on the requests before it. */
function keyOf(response: KimiCodeResponse): string {
  const { timestampMs, alias, input, output, cache_write, cache_read } = response;
  return `${timestampMs}\n${alias}\n${input} ${output} ${cache_write} ${cache_read}`;
}

function merge(files: readonly KimiCodeUsage[]): LoggedResponse[] {
  return eachOnce(
    files.flatMap(({ responses }) => responses),
    keyOf,
  );
}
