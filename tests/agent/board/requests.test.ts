/** The requests of each command, as the privacy page lists them. */
import { describe, expect, test } from 'vitest';
import type { LocalDevice } from '#agent/device.ts';
import { Client, type Fetch } from '#agent/board/client.ts';
import { EXIT, Failure } from '#agent/failure.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { aDeviceOf, anOutput, fetchFrom, runCommand } from '#tests/support/agent/agent.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { BASE_URL, bucketsOfDays } from '#tests/support/board/builders.ts';
import { anOperator, publish, testContext } from '#tests/support/board/context.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';

interface Request {
  method: string;
  path: string;
  hasToken: boolean;
}

/** A network that records requests. */
function recording(whole: Fetch): { asked: Request[]; fetch: Fetch } {
  const asked: Request[] = [];
  const fetch: Fetch = (url, init) => {
    const { pathname, search } = new URL(url);
    const hasToken = new Headers(init.headers).has('authorization');
    asked.push({ method: init.method ?? 'GET', path: pathname + search, hasToken });
    return whole(url, init);
  };
  return { asked, fetch };
}

/** The requests of a command on a device that is enrolled as joan. */
async function requestsOf(...[name = '', ...args]: string[]): Promise<Request[]> {
  const ctx = testContext();
  anActive(ctx, 'joan', bucketsOfDays(20, '2026-02-10', { input: 900 }));
  anActive(ctx, 'mary', bucketsOfDays(20, '2026-02-10', { input: 600 }));
  const { device } = await anEnrolledDevice(ctx, 'joan');
  publish(ctx);
  const { asked, fetch } = recording(fetchFrom(ctx));
  const watched: LocalDevice = { ...device, client: new Client(fetch, device.nowMs) };
  await runCommand(watched, name, args, anOutput()).catch(ignoreRefusal);
  return asked;
}

/** The request does not depend on whether the board has the submission. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Failure) || error.exitCode !== EXIT.refused) throw error;
}

const ME = { method: 'GET', path: '/api/v1/me', hasToken: true };

/** Asked once if the board has a key for its log, and at each check otherwise. */
const KEYS = { method: 'GET', path: '/.well-known/opbench-keys.json', hasToken: false };

const SUBMISSION = '019a0000-0000-7000-8000-000000000000';
const WITHDRAW = `/api/v1/submissions/${SUBMISSION}/withdraw`;

describe('the requests of a command', () => {
  test('enroll: the devices of the account, then the enrollment', async () => {
    const ctx = testContext();
    const { code } = createEnrollmentCode(ctx, anOperator(ctx, 'joan').id);
    const { asked, fetch } = recording(fetchFrom(ctx));

    await runCommand(aDeviceOf(ctx, fetch), 'enroll', [code, '--board', BASE_URL], anOutput());

    const request = { method: 'POST', hasToken: false };
    expect(asked).toEqual([
      { ...request, path: '/api/v1/devices/known' },
      { ...request, path: '/api/v1/devices/enroll' },
      KEYS,
    ]);
  });

  test.each([
    [['scan'], []],
    [
      ['withdraw', SUBMISSION],
      [ME, { ...ME, method: 'POST', path: WITHDRAW }],
    ],
    [['record', '1', '2', '3', '4'], []],
    [['improve'], []],
    [['doctor', '--offline'], []],
    [['submit', '--dry-run'], []],
    [['submit'], [ME, { ...ME, path: '/api/v1/counts?limit=1000' }, ME, KEYS]],
    [['status'], [ME, KEYS]],
    [['peers'], [{ ...ME, path: '/api/v1/peers' }]],
  ])('%j: %j', async (words, requests) => {
    expect(await requestsOf(...words)).toEqual(requests);
  });

  test('board: public requests that do not identify the operator', async () => {
    const asked = await requestsOf('board', '--limit', '1');

    expect(asked).toEqual([
      { method: 'GET', path: '/api/v1/leaderboard?limit=1', hasToken: false },
    ]);
  });
});
