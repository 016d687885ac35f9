import { describe, expect, test } from 'vitest';
import { limitsOf } from '#core/contract/limits.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { readSubmissionEnvelope } from '#server/submission/submissions.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';
import {
  BASE_URL,
  type TestDevice,
  aPayload,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publish,
  testContext,
} from '#tests/support/board/context.ts';
import { call } from '#tests/support/mcp/mcp-board.ts';
import { aLetInApplication } from '#tests/support/http/provider.ts';

/** A board where an app acts for `ada`. Both `ada` and `eve` have a device. */
async function letIn() {
  const ctx = testContext();
  const devices = {
    ada: await anEnrolledDevice(ctx, 'ada'),
    eve: await anEnrolledDevice(ctx, 'eve'),
  };
  publish(ctx);
  const ada = ctx.store.operators.byCodename('ada');
  if (!ada) throw new Error('There is no ada');
  const { tokens } = await aLetInApplication(ctx, ada, { resource: `${BASE_URL}/api/mcp` });
  const send = (given: object) => call(ctx, 'submit_snapshot', given, tokens['access_token']);
  return { ctx, devices, send, start: ctx.store.log.head()?.index ?? 0 };
}

function recordsOf(ctx: TestContext, output = 10_000) {
  const day = new Date(ctx.now().getTime() - 86_400_000).toISOString().slice(0, 10);
  return bucketsOfDays(1, day, { output }).map(composeRecord);
}

async function envelopeOf(ctx: TestContext, device: TestDevice) {
  const issued_at = ctx.now().toISOString();
  return device.seal(aPayload({ audience: BASE_URL, issued_at, records: recordsOf(ctx) }));
}

describe('submit_snapshot', () => {
  test('accepts an unchanged envelope of a device of the caller, and the same one again', async () => {
    const { ctx, devices, send, start } = await letIn();
    const envelope = await envelopeOf(ctx, devices.ada);

    const first = await send({ envelope });
    const again = await send({ envelope });

    expect(first.structuredContent).toMatchObject({ log_index: start + 1, records: 1 });
    expect(again.structuredContent).toEqual(first.structuredContent);
    const { id } = first.structuredContent as { id: string };
    expect(readSubmissionEnvelope(ctx, id)).toEqual(envelope);
    expect(ctx.store.log.head()?.index).toBe(start + 1);
  });

  test('does not reveal whether devices of other operators exist', async () => {
    const { ctx, devices, send, start } = await letIn();
    const foreign = await envelopeOf(ctx, devices.eve);
    const [signature] = foreign.signatures;
    const unknownId = `SHA256:${'A'.repeat(43)}`;
    const unknown = { ...foreign, signatures: [{ ...signature, keyid: unknownId }] };

    const refused = await send({ envelope: foreign });
    const never = await send({ envelope: unknown });

    expect(refused.told).toMatchObject({ code: 'key_unknown' });
    const words = JSON.stringify(never.told).replace(unknownId, signature?.keyid ?? '');
    expect(JSON.stringify(refused.told)).toBe(words);
    expect(ctx.store.log.head()?.index).toBe(start);
  });

  test('rejects an invalid signature', async () => {
    const { ctx, devices, send } = await letIn();
    const { payload, ...envelope } = await envelopeOf(ctx, devices.ada);
    const changed = Buffer.from(payload, 'base64').toString().replace('10000', '90000');

    const refused = await send({
      envelope: { ...envelope, payload: Buffer.from(changed).toString('base64') },
    });

    expect(refused.told).toMatchObject({ code: 'signature_invalid' });
  });

  test('accepts plain records, once for each key, and not together with an envelope', async () => {
    const { ctx, devices, send, start } = await letIn();
    const sent = { records: recordsOf(ctx), idempotency_key: 'one' };

    const first = await send(sent);
    const again = await send(sent);
    const other = await send({ ...sent, records: recordsOf(ctx, 20_000) });

    expect(first.structuredContent).toMatchObject({ log_index: start + 1, records: 1 });
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(other.told).toMatchObject({ code: 'idempotency_key_reused' });
    const { id } = first.structuredContent as { id: string };
    expect(ctx.store.submissions.byId(id)).toMatchObject({ keyid: null });
    const envelope = await envelopeOf(ctx, devices.ada);
    for (const wrong of [{}, { envelope, ...sent }, { envelope, idempotency_key: 'a' }]) {
      expect((await send(wrong)).told).toMatchObject({ code: 'arguments_invalid' });
    }
  });

  test('counts against the limits of the API', async () => {
    const { ctx, devices, send } = await letIn();
    const limits = limitsOf({ publicReads: 60, writes: 20 });
    ctx.limiter = new RateLimiter(limits, () => ctx.clock.nowMs);
    const envelope = await envelopeOf(ctx, devices.ada);
    const { id = 0 } = ctx.store.operators.byCodename('ada') ?? {};

    await send({ envelope });
    await send({ records: recordsOf(ctx) });
    expect(ctx.limiter.count('writes', String(id)).remaining).toBe(17);
    await send({ envelope });
    await send({ envelope });

    expect((await send({ envelope })).told).toMatchObject({
      code: 'quota_exceeded',
      message: 'More than 4 requests in 60 seconds. Wait 60 seconds',
    });
  });
});
