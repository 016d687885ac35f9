import { describe, expect, test } from 'vitest';
import type { KnownDeviceAnswer } from '#agent/board/answers.ts';
import { type Circumstances, decide, recognize } from '#agent/loop/enroll-decision.ts';
import { NOW_MS } from '#tests/support/board/builders.ts';

const YEAR = new Date(NOW_MS).getUTCFullYear();

function aKnownDevice(known: Partial<KnownDeviceAnswer> = {}): KnownDeviceAnswer {
  return {
    id: '0b3b01f5-d315-4010-9c49-fb4065eca58e',
    label: 'laptop',
    revoked_at: null,
    last_submission_at: `${YEAR - 1}-11-18T10:00:00Z`,
    days: [],
    ...known,
  };
}

const LAPTOP = aKnownDevice();
const DESKTOP = aKnownDevice({
  id: '1b3b01f5-d315-4010-9c49-fb4065eca58e',
  label: 'desktop',
  revoked_at: `${YEAR}-01-02T10:00:00Z`,
  last_submission_at: `${YEAR}-01-02T10:00:00Z`,
});
const RECOGNIZED = [{ device: LAPTOP, hasKey: false, days: 12 }];
const REPLACE = { kind: 'replace', replaced: { id: LAPTOP.id, label: 'laptop' } };

function known(circumstances: Partial<Circumstances> = {}): Circumstances {
  return {
    devices: [LAPTOP, DESKTOP],
    recognized: [],
    own: null,
    isCopy: false,
    nowMs: NOW_MS,
    ...circumstances,
  };
}

/** The decision, and the question before it. */
async function asking(
  circumstances: Circumstances,
  answer: string | null,
  flags: { replace?: string; isNew?: boolean } = {},
) {
  const asked: string[] = [];
  const decided = await decide(
    circumstances,
    { replace: flags.replace, isNew: flags.isNew ?? false },
    (question) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
  ).catch((error: unknown) => error);
  return { decided, asked: asked.join('') };
}

describe('decide()', () => {
  test('asks nothing for the first device of an account, or for a device that enrolls again', async () => {
    const first = await asking(known({ devices: [] }), '1');
    const again = await asking(known({ own: LAPTOP, recognized: RECOGNIZED }), '1');

    expect([first, again]).toEqual([
      { decided: { kind: 'plain' }, asked: '' },
      { decided: { kind: 'plain' }, asked: '' },
    ]);
  });

  test('lists the devices, says why one is recognized, and asks', async () => {
    const { decided, asked } = await asking(known({ recognized: RECOGNIZED }), '1');

    expect(decided).toEqual(REPLACE);
    expect(asked).toBe(
      [
        'This account has these devices:',
        `  "laptop": last seen 18 Nov ${YEAR - 1}, 12 days match the logs of this machine`,
        '  "desktop": last seen 2 Jan, revoked',
        `  1  Replace "laptop" (last seen 18 Nov ${YEAR - 1}): this machine continues it`,
        '  2  I use both machines: count only what the other device has not sent',
        'What is this machine? [1-2, Enter to cancel] ',
      ].join('\n'),
    );
  });

  test('counts only new responses if both devices are in use', async () => {
    const { decided } = await asking(known({ recognized: RECOGNIZED }), '2');

    expect(decided).toEqual({ kind: 'new', stay_with: '"laptop"', is_twin: false });
  });

  test.each(['', '3', '0', 'yes', '1.5'])(
    'does not enroll after the answer "%s"',
    async (answer) => {
      const { decided } = await asking(known({ recognized: RECOGNIZED }), answer);

      expect(decided).toMatchObject({
        exitCode: 1,
        hint: expect.stringContaining('code is still valid'),
      });
    },
  );

  test('does not guess without a terminal, and shows the options', async () => {
    const { decided } = await asking(known({ recognized: RECOGNIZED }), null);

    expect(decided).toMatchObject({
      exitCode: 1,
      code: 'device_recognized',
      message: expect.stringContaining('"laptop" (last seen 18 Nov'),
      hint: expect.stringMatching(/--replace "laptop".*--new.*code is still valid/),
    });
  });

  test('treats an unrecognized device as a new one by default', async () => {
    const unasked = await asking(known(), null);
    const entered = await asking(known(), '');
    const chosen = await asking(known(), '1');

    expect(unasked.decided).toEqual({ kind: 'plain' });
    expect(entered.decided).toEqual({ kind: 'new', stay_with: null, is_twin: false });
    expect(entered.asked).toContain(
      '  3  This is a new device\nWhat is this machine? [1-3, Enter for 3] ',
    );
    expect(chosen.decided).toEqual(REPLACE);
  });

  test('asks about a copy even if the board lists no devices', async () => {
    const copy = known({ devices: [], isCopy: true });

    const asked = await asking(copy, '1');
    const refused = await asking(copy, null);

    expect(asked.decided).toMatchObject({ kind: 'new', stay_with: expect.any(String) });
    expect(refused.decided).toMatchObject({ code: 'device_recognized' });
  });

  test('follows the flags without asking', async () => {
    const byLabel = await asking(known(), null, { replace: 'laptop' });
    const byId = await asking(known(), null, { replace: LAPTOP.id });
    const asNew = await asking(known({ recognized: RECOGNIZED }), null, { isNew: true });
    const twin = await asking(known({ own: LAPTOP }), null, { isNew: true });
    const both = await asking(known(), null, { isNew: true, replace: 'laptop' });

    expect([byLabel.decided, byId.decided]).toEqual([REPLACE, REPLACE]);
    expect(asNew.decided).toEqual({ kind: 'new', stay_with: '"laptop"', is_twin: false });
    expect(twin.decided).toMatchObject({ kind: 'new', is_twin: true });
    expect(both.decided).toMatchObject({ exitCode: 1 });
  });

  test('stays the same device if it replaces itself', async () => {
    const own = await asking(known({ own: LAPTOP }), null, { replace: 'laptop' });
    const copy = await asking(known({ own: LAPTOP, isCopy: true }), null, { replace: 'laptop' });

    expect([own.decided, copy.decided]).toEqual([{ kind: 'plain' }, REPLACE]);
  });

  test('lists the devices if the label is unknown or shared', async () => {
    const unknown = await asking(known(), null, { replace: 'lap' });
    const twice = [LAPTOP, aKnownDevice({ id: DESKTOP.id })];
    const shared = await asking(known({ devices: twice }), null, { replace: 'laptop' });
    const none = await asking(known({ devices: [] }), null, { replace: 'laptop' });

    expect(unknown.decided).toMatchObject({
      exitCode: 1,
      hint: expect.stringContaining('"desktop"'),
    });
    expect(shared.decided).toMatchObject({
      hint: expect.stringContaining(`${DESKTOP.id} "laptop"`),
    });
    expect(none.decided).toMatchObject({ hint: expect.stringContaining('without --replace') });
  });
});

describe('recognize()', () => {
  const day = { day: '2026-03-02', tool: 'claude-code', stated_at: '2026-03-02T10:00:00Z' };
  const sumUntil = (_day: string, _tool: string, untilMs: number) => {
    return untilMs < Date.parse('2026-03-02T11:00:00Z') ? 21_000 : 21_420;
  };

  test('finds a device by a day that matches the logs up to its submission', () => {
    const same = aKnownDevice({ days: [{ ...day, total: 21_000 }] });
    const other = aKnownDevice({ id: DESKTOP.id, days: [{ ...day, total: 21_420 }] });

    expect(recognize([same, other], { keyOf: null, sumUntil })).toEqual([
      { device: same, hasKey: false, days: 1 },
    ]);
  });

  test('ignores small days, and accepts a key as proof', () => {
    const small = aKnownDevice({ days: [{ ...day, total: 999 }] });

    expect(recognize([small], { keyOf: null, sumUntil: () => 999 })).toEqual([]);
    expect(recognize([small], { keyOf: small.id, sumUntil: () => 0 })).toEqual([
      { device: small, hasKey: true, days: 0 },
    ]);
  });
});
