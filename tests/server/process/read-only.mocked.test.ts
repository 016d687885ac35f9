import type Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { endSession } from '#server/identity/sessions.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { problemOf } from '#server/http/response/problem.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

const opened = vi.hoisted(() => [] as Database.Database[]);

vi.mock('better-sqlite3', async (importOriginal) => {
  const { default: Real } = await importOriginal<{ default: typeof Database }>();
  return {
    default: class extends Real {
      constructor(...options: ConstructorParameters<typeof Real>) {
        super(...options);
        opened.push(this);
      }
    },
  };
});

/** A board with ada whose database can be made read-only, like a disk that the system mounted so. */
async function aBoard() {
  opened.length = 0;
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const ada = ctx.store.operators.byCodename('ada')?.id ?? 0;
  const cookie = (await ctx.sessions.start(ada)).split(';')[0] ?? '';
  const session_id = (await ctx.sessions.read(cookie))?.session_id ?? '';
  const setReadOnly = (isReadOnly: boolean) =>
    opened.forEach((db) => db.open && db.pragma(`query_only = ${isReadOnly ? 'ON' : 'OFF'}`));
  const caller = { operator_id: ada, session_id };
  return { ctx, device, ada, cookie, caller, setReadOnly };
}

type Board = Awaited<ReturnType<typeof aBoard>>;

/** One write of each kind. The last deletes the account. */
const WRITES: Record<string, (board: Board) => unknown> = {
  snapshot: ({ ctx, device }) => submit(ctx, device, bucketsOfDays(3, '2026-03-01')),
  'enrollment code': ({ ctx, ada }) => createEnrollmentCode(ctx, ada),
  'device token': ({ ctx, device }) =>
    ctx.store.devices.rememberToken({ keyid: device.keyid, jti: 'one', expires_at: 2e9 }),
  profile: ({ ctx, ada }) => updateProfile(ctx, ada, { bio: 'I count.' }),
  codename: ({ ctx, ada }) => setCodename(ctx, ada, 'grace'),
  'data opt-out': ({ ctx, ada }) => setDataOptOut(ctx, ada, { opt_out: true }),
  publication: ({ ctx }) => publishAndKeep(ctx),
  'end of a session': ({ ctx, caller }) => endSession(ctx, caller as never, caller.session_id),
  'new session': ({ ctx, ada }) => ctx.sessions.start(ada),
};

async function outcomeOf(write: () => unknown): Promise<unknown> {
  try {
    await write();
    return 'stored';
  } catch (error) {
    return error;
  }
}

describe('a read-only database', () => {
  test.each(Object.entries(WRITES))('rejects %s, and accepts it afterwards', async (_, write) => {
    const board = await aBoard();
    board.setReadOnly(true);
    const refusal = await outcomeOf(() => write(board));

    expect(storageFaultOf(refusal)).toBe('read_only');
    expect(problemOf(refusal, { baseUrl: 'https://board.test', requestId: '' })).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      detail: 'The board cannot use its storage at the moment. Nothing was stored',
    });
    board.setReadOnly(false);
    expect(await outcomeOf(() => write(board))).toBe('stored');
  });

  test('lets signed-in operators continue, even if the visit cannot be recorded', async () => {
    const { ctx, cookie, caller, setReadOnly } = await aBoard();
    vi.useFakeTimers({ now: Date.now() + 20 * DAY_MS, toFake: ['Date'] });
    ctx.clock.nowMs += 20 * DAY_MS;
    setReadOnly(true);

    expect(await ctx.sessions.read(cookie)).toMatchObject({ session_id: caller.session_id });

    vi.useRealTimers();
  });
});
