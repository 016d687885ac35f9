import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { filesIn, indexOf, sumsOf, truthOf } from '#tests/support/logs/log-index.ts';
import { aClaudeLine, aCodexCount, aCodexHead } from '#tests/support/logs/log-writers.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

const LOGS = [
  '.claude/projects/p/a',
  '.claude/projects/q/b',
  '.codex/sessions/c',
  '.codex/sessions/d',
];

/** Texts of some lines. A response may be in several logs. */
const claude = fc
  .array(fc.record({ id: fc.nat(5), output: fc.nat(9), at: fc.nat(3) }), { maxLength: 4 })
  .map((all) =>
    all.map(({ id, output, at }) => aClaudeLine({ id: `msg_${id}`, output, at: at * 4e7 })),
  );
const codex = fc
  .array(
    fc.record({
      id: fc.nat(3),
      parent: fc.option(fc.nat(5), { nil: undefined }),
      total: fc.nat(9),
      last: fc.nat(4),
    }),
    { maxLength: 4 },
  )
  .map((all) =>
    all.flatMap(({ id, parent, total, last }) => [
      aCodexHead(`s${id}`, 0, parent === undefined ? undefined : `s${parent}`),
      aCodexCount(id, total, last),
    ]),
  );
const text = fc.oneof(claude, codex).map((all) => all.map((line) => `${line}\n`).join(''));

const log = fc.constantFrom(...LOGS);
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** The steps between two scans, each with a name and arguments. */
const step = fc.oneof(
  fc.record({ does: fc.constant('append' as const), log, text }),
  fc.record({ does: fc.constant('append a part' as const), log, text, share }),
  fc.record({ does: fc.constant('write over' as const), log, text }),
  fc.record({ does: fc.constant('write over in place' as const), log, share }),
  fc.record({ does: fc.constant('cut' as const), log, share }),
  fc.record({ does: fc.constant('touch' as const), log, share }),
  fc.record({ does: fc.constant('delete' as const), log }),
  fc.record({ does: fc.constant('rename' as const), log, to: log }),
  fc.record({ does: fc.constant('keep the index' as const) }),
  fc.record({ does: fc.constant('bring a part of the index back' as const), share }),
  fc.record({ does: fc.constant('tear the index' as const), share }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A home folder in which steps are executed, one minute apart. */
function aWorld() {
  const HOME = aFolder({
    '.claude/projects/p/x': '',
    '.claude/projects/q/x': '',
    '.codex/sessions/x': '',
  });
  let kept: [path: string, content: Buffer][] = [];
  const pathOf = (name: string) => join(HOME, `${name}.jsonl`);
  const now = () => Date.now() / 1000;
  const stamp = (path: string, seconds = now()) => {
    if (existsSync(path)) utimesSync(path, seconds, seconds);
  };

  const deeds: { [Does in Step['does']]: (step: Extract<Step, { does: Does }>) => void } = {
    append: ({ log: name, text: more }) => appendFileSync(pathOf(name), more),
    'append a part': ({ log: name, text: more, share: part }) =>
      appendFileSync(pathOf(name), more.slice(0, Math.floor(more.length * part))),
    'write over': ({ log: name, text: other }) => writeFileSync(pathOf(name), other),
    'write over in place': ({ log: name, share: part }) => {
      const path = pathOf(name);
      const old = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const at = Math.floor(old.length * part);
      writeFileSync(path, old.slice(0, at) + old.slice(at).replace(/[1-8]/, '9'));
    },
    cut: ({ log: name, share: part }) => {
      const path = pathOf(name);
      if (existsSync(path)) truncateSync(path, Math.floor(readFileSync(path).length * part));
    },
    touch: ({ log: name, share: part }) => stamp(pathOf(name), now() - 7200 * part),
    delete: ({ log: name }) => rmSync(pathOf(name), { force: true }),
    rename: ({ log: name, to }) => {
      if (existsSync(pathOf(name))) renameSync(pathOf(name), pathOf(to));
    },
    'keep the index': () => {
      kept = existsSync(indexOf({ HOME }))
        ? filesIn(indexOf({ HOME })).map((path) => [path, readFileSync(path)])
        : [];
    },
    'bring a part of the index back': ({ share: part }) => {
      for (const [path, content] of kept.slice(0, Math.ceil(kept.length * part))) {
        writeFileSync(path, content);
      }
    },
    'tear the index': ({ share: part }) => {
      const files = existsSync(indexOf({ HOME })) ? filesIn(indexOf({ HOME })) : [];
      const torn = files[Math.floor(files.length * part * 0.999)];
      if (torn) truncateSync(torn, Math.floor(readFileSync(torn).length * part));
    },
  };

  return {
    env: { HOME },
    do(one: Step) {
      vi.setSystemTime(Date.now() + 60_000);
      const deed = deeds[one.does] as (step: Step) => void;
      deed(one);
      if ('log' in one && one.does !== 'touch' && one.does !== 'rename') stamp(pathOf(one.log));
    },
  };
}

test('whatever happens between scans, their result matches the logs, even for two concurrent scans', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const world = aWorld();
      for (const one of steps) {
        world.do(one);
        const truth = await truthOf(world.env);

        expect(await Promise.all([sumsOf(world.env), sumsOf(world.env)])).toEqual([truth, truth]);
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
