/** Which events happen, and what they say about whom. */
import { describe, expect, test } from 'vitest';
import { WEBHOOK_PAYLOADS, WEBHOOK_TEXTS, type WebhookType } from '#core/contract/webhooks.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { contactAdmin } from '#server/messages/contact-admin.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { announceFailedBackup } from '#server/webhooks/announce.ts';
import { payloadOf } from '#server/webhooks/payload.ts';
import { submitSnapshot, trySnapshot } from '#server/submission/submit-snapshot.ts';
import { anActive, deleteOperator } from '#tests/support/board/boards.ts';
import { BASE_URL, aBucket, aPayload, bucketsOfDays } from '#tests/support/board/builders.ts';
import { GIANT, check, daysOf, send } from '#tests/support/board/checks.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  query,
  submit,
} from '#tests/support/board/context.ts';
import { MARCH, addMarchChallenge } from '#tests/support/board/march-challenge.ts';
import { aBoardWithWebhooks, aWebhook, payloadIn } from '#tests/support/webhooks/board.ts';

/** A board with a webhook for some events, whose payloads a test reads without sending them. */
function aScene(...events: WebhookType[]) {
  const ctx = aBoardWithWebhooks();
  aWebhook(ctx, 'http://127.0.0.1/hook', { events });
  return ctx;
}

/** The payloads of all events as they would be sent now, oldest first. Each one matches its schema. */
function payloads({ store, config }: TestContext) {
  return store.webhookOutbox
    .newest(null, 100)
    .toReversed()
    .map(({ event_id }) => {
      const payload = payloadOf(store, store.webhookOutbox.deliveryOf(event_id), config.baseUrl);
      return payloadIn(JSON.stringify(payload));
    });
}

const dataOf = (ctx: TestContext) => payloads(ctx).map(({ data }) => data);

async function anOperatorWith(ctx: TestContext, codename: string, output: number) {
  const device = await anEnrolledDevice(ctx, codename);
  const { answer } = await submit(ctx, device, bucketsOfDays(10, '2026-02-28', { output }));
  const id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  return { device, submission: answer.id, id };
}

describe('the events', () => {
  test.each(Object.entries(WEBHOOK_PAYLOADS))('%s have an example that matches', (type, schema) => {
    const { example } = WEBHOOK_TEXTS[type as WebhookType];
    const payload = { type, timestamp: '2026-11-20T15:38:00.000Z', url: BASE_URL, data: example };

    expect(schema.safeParse(payload).error).toBeUndefined();
    expect(schema.safeParse({ ...payload, data: { ...Object(example), more: 1 } }).success).toBe(
      false,
    );
  });

  test('are not stored while no webhook receives them', async () => {
    const ctx = aScene('backup.failed');
    await anOperatorWith(ctx, 'ada', 20_000);
    publishAndKeep(ctx);

    expect(query(ctx, 'SELECT * FROM webhook_events')).toEqual([]);
  });
});

describe('a record', () => {
  test('is an event when it is set, only the highest of an update, and not again', async () => {
    const ctx = aScene('record.set');
    publishAndKeep(ctx);
    await anOperatorWith(ctx, 'ada', 20_000);
    await anOperatorWith(ctx, 'grace', 30_000);
    publishAndKeep(ctx);
    publishAndKeep(ctx);

    const records = payloads(ctx).filter(({ data }) => 'metric' in data && data.metric === 'yield');
    expect(records).toEqual([
      {
        type: 'record.set',
        timestamp: '2026-03-10T12:00:00.000Z',
        url: `${BASE_URL}/hall-of-signal`,
        data: {
          codename: 'grace',
          metric: 'yield',
          value: expect.any(Number) as number,
          first_day: '2026-02-08',
          last_day: '2026-03-09',
        },
      },
    ]);
  });
});

describe('a leader', () => {
  test('is an event when another operator is first', async () => {
    const ctx = aScene('leader.changed');
    publishAndKeep(ctx);
    await anOperatorWith(ctx, 'ada', 20_000);
    publishAndKeep(ctx);
    publishAndKeep(ctx);
    await anOperatorWith(ctx, 'grace', 30_000);
    publishAndKeep(ctx);

    const byYield = dataOf(ctx).filter((data) => 'metric' in data && data.metric === 'yield');
    expect(byYield).toMatchObject([
      { codename: 'ada', previous_codename: null },
      { codename: 'grace', previous_codename: 'ada' },
    ]);
  });
});

describe('a challenge', () => {
  test('is an event when it starts, and when its standings are final', async () => {
    const ctx = aScene('challenge.started', 'challenge.finished');
    addMarchChallenge(ctx);
    const device = await anEnrolledDevice(ctx, 'ada');
    publishAndKeep(ctx);
    expect(payloads(ctx)).toEqual([]);
    ctx.clock.nowMs = Date.parse('2026-03-12T00:01:00Z');
    publishAndKeep(ctx);
    publishAndKeep(ctx);
    ctx.clock.nowMs = Date.parse('2026-03-21T00:01:00Z');
    await submit(ctx, device, bucketsOfDays(9, '2026-03-12'));
    publishAndKeep(ctx);
    ctx.clock.nowMs = Date.parse('2026-03-23T00:01:00Z');
    publishAndKeep(ctx);
    publishAndKeep(ctx);

    const facts = { id: MARCH, title: 'March by yield', metric: 'yield', last_day: '2026-03-20' };
    expect(payloads(ctx)).toMatchObject([
      { type: 'challenge.started', url: `${BASE_URL}/challenges/${MARCH}`, data: facts },
      {
        type: 'challenge.finished',
        data: { ...facts, total: 1, standings: [{ place: 1, rank: 1, codename: 'ada' }] },
      },
    ]);
  });
});

describe('an operator who joins', () => {
  test('is an event with the first submission, but not with a trial', async () => {
    const ctx = aScene('operator.joined');
    const device = await anEnrolledDevice(ctx, 'ada');
    const envelope = await device.seal(aPayload({ issued_at: ctx.now().toISOString() }));
    await trySnapshot(ctx, JSON.stringify(envelope));
    expect(payloads(ctx)).toEqual([]);
    await submitSnapshot(ctx, JSON.stringify(envelope));
    await submit(ctx, device, bucketsOfDays(1, '2026-03-09'));

    expect(payloads(ctx)).toMatchObject([
      { type: 'operator.joined', url: `${BASE_URL}/operators/ada`, data: { codename: 'ada' } },
    ]);
  });
});

describe('a submission on hold', () => {
  test('is an event, with the check or the admin, without its operator', async () => {
    const ctx = aScene('submission.held');
    const { submission } = await anOperatorWith(ctx, 'ada', 20_000);
    decideSubmission(ctx, { kind: 'hold', id: submission, reason: 'A question' });
    const device = await anEnrolledDevice(ctx, 'grace');
    for (let number = 2; number <= 22; number += 1) {
      anActive(ctx, `other-${number}`, daysOf(number, 3));
    }
    const giant = await send(ctx, device, [...daysOf(1, 20), aBucket(GIANT)]);
    check(ctx);

    expect(dataOf(ctx)).toEqual([
      { submission, by: 'admin', check: null },
      { submission: giant.id, by: 'check', check: 'day_outlier' },
    ]);
  });
});

describe('a message', () => {
  test('is an event without text and sender that links to its admin page', async () => {
    const ctx = aScene('message.received');
    const { id } = await anOperatorWith(ctx, 'ada', 20_000);
    const receipt = contactAdmin(ctx, id, { subject: 'Secret', message: 'Also secret' });

    expect(dataOf(ctx)).toEqual([{ message: receipt.id }]);
    expect(payloads(ctx).map(({ url }) => url)).toEqual([
      `${BASE_URL}/admin/messages/${receipt.id}`,
    ]);
  });
});

describe('a failed backup', () => {
  test('is an event with the code of the error', () => {
    const ctx = aScene('backup.failed');
    const cause = Object.assign(new Error('/a/path'), { code: 'ENOSPC' });
    announceFailedBackup(ctx.store, new Error('Full', { cause }), ctx.now());
    announceFailedBackup(ctx.store, new Error('Unsound'), ctx.now());

    expect(dataOf(ctx)).toEqual([{ code: 'ENOSPC' }, { code: null }]);
  });
});

describe('the name of an operator', () => {
  const scenes = {
    anonymous: (ctx: TestContext, id: number) =>
      ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'anonymous' })),
    private: (ctx: TestContext, id: number) =>
      ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' })),
    hidden: (ctx: TestContext) =>
      hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'A test' }),
    deleted: (ctx: TestContext) => deleteOperator(ctx, 'ada'),
  };

  test.each(Object.entries(scenes))('is absent once the operator is %s', async (_, change) => {
    const ctx = aScene('record.set', 'leader.changed', 'operator.joined');
    publishAndKeep(ctx);
    const { id } = await anOperatorWith(ctx, 'ada', 20_000);
    publishAndKeep(ctx);
    expect(JSON.stringify(payloads(ctx))).toContain('ada');

    change(ctx, id);

    expect(payloads(ctx).length).toBeGreaterThan(2);
    expect(JSON.stringify(payloads(ctx))).not.toMatch(/\bada\b|anonymous-/);
    expect(JSON.stringify(query(ctx, 'SELECT data FROM webhook_events'))).not.toContain('ada');
  });
});
