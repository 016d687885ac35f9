/** Devices with logs, state and a board in the same process. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, type Fetch } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import { Keystore } from '#agent/state/keystore.ts';
import { enrollKnown } from '#agent/loop/enroll-known.ts';
import { submitAll } from '#agent/loop/submit-all.ts';
import { stateFolder } from '#agent/settings.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { fetchFrom } from './agent.ts';
import { BASE_URL } from '../board/builders.ts';
import { type TestContext, anOperator, query } from '../board/context.ts';
import { aFolder } from '../logs/log-folder.ts';
import { aClaudeLine } from '../logs/log-writers.ts';

export interface TestMachine {
  device: LocalDevice;
  home: string;
  /** Its state folder. */
  state: string;
}

/** A device by name. Its home folder is new, or a copy of another one. */
export function aMachine(
  ctx: TestContext,
  { name = 'one', copyOf, fetch }: { name?: string; copyOf?: TestMachine; fetch?: Fetch } = {},
): TestMachine {
  const home = aFolder();
  if (copyOf) cpSync(copyOf.home, home, { recursive: true });
  const environment = { HOME: home, OPBENCH_MACHINE: name, PATH: join(home, 'no-programs') };
  const state = stateFolder(environment);
  const nowMs = () => ctx.clock.nowMs;
  const client = new Client(fetch ?? fetchFrom(ctx), nowMs);
  const device: LocalDevice = {
    environment,
    nowMs,
    file: join(home, 'opbench.mjs'),
    keystore: new Keystore(state),
    client,
    wait: () => Promise.resolve(),
  };
  return { device, home, state };
}

/** A board whose clock differs from that of its devices. */
export function dated(ctx: TestContext, offMs: number): Fetch {
  return async (url, init) => {
    const answer = await fetchFrom(ctx)(url, init);
    answer.headers.set('Date', new Date(ctx.clock.nowMs + offMs).toUTCString());
    return answer;
  };
}

/** Logs a response. Time passes. */
export function respond(
  ctx: TestContext,
  { home }: TestMachine,
  id: string,
  input: number,
  output: number,
): void {
  const path = logOf({ home }, id);
  mkdirSync(dirname(path), { recursive: true });
  const at = ctx.clock.nowMs - Date.UTC(2026, 2, 2);
  const line = aClaudeLine({ id, at, input, output, cache_write: 0, cache_read: 0 });
  writeFileSync(path, `${line}\n`);
  ctx.clock.nowMs += 1000;
}

/** Deletes the log of a response. */
export function cleanUp(machine: TestMachine, id: string): void {
  rmSync(logOf(machine, id));
}

function logOf({ home }: Pick<TestMachine, 'home'>, id: string): string {
  return join(home, '.claude', 'projects', 'p', `${id}.jsonl`);
}

/** A code of an account, which is created if needed. */
export function aCode(ctx: TestContext, codename = 'ada'): string {
  const { id } = ctx.store.operators.byCodename(codename) ?? anOperator(ctx, codename);
  return createEnrollmentCode(ctx, id).code;
}

/** Enrolls a device with a new code, without a terminal unless an answer is given. */
export async function enrollMachine(
  ctx: TestContext,
  { device }: TestMachine,
  {
    codename = 'ada',
    label = 'laptop' as string | null,
    replace = undefined as string | undefined,
    isNew = false,
    answer = null as string | null,
    code = aCode(ctx, codename),
  } = {},
) {
  ctx.clock.nowMs += 1000;
  return enrollKnown(device, {
    code,
    board: BASE_URL,
    label: label ?? undefined,
    flags: { replace, isNew },
    ask: () => Promise.resolve(answer),
    progress: () => undefined,
  });
}

/** Submits to all boards. Time passes. */
export async function submitFrom(ctx: TestContext, { device }: TestMachine, isSameMachine = false) {
  ctx.clock.nowMs += 1000;
  const { report, exitCode } = await submitAll(device, {
    board: undefined,
    isSameMachine,
    standing: false,
  });
  ctx.clock.nowMs += 1000;
  return { ...report, exitCode };
}

/** The counted output tokens of one account on the board. */
export function countedOutput(ctx: TestContext, codename = 'ada'): number {
  const [row] = query<{ sum: number | null }>(
    ctx,
    `SELECT sum(output) AS sum FROM buckets JOIN operators ON operators.id = operator_id
     WHERE counts = 1 AND codename = '${codename}'`,
  );
  return row?.sum ?? 0;
}
