import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptLog, checkLog } from '#agent/log-check/check-log.ts';
import { LOG_KEY_PAYLOAD_TYPE } from '#core/schema/log-payload.ts';
import { aDeviceWithLog } from '#tests/support/tlog/device-of-log.ts';
import { LogView, changedAt } from '#tests/support/tlog/log-view.ts';
import { aLogKey } from '#tests/support/tlog/note-keys.ts';

type Made = Awaited<ReturnType<typeof aDeviceWithLog>>;

/** The board gets another key for its log, and uses it from now on. */
function changeKey({ ctx, board }: Made, { origin = '', isSigned = true } = {}) {
  const before = board.log().entries;
  const key = aLogKey(origin);
  const payload = new TextEncoder().encode(JSON.stringify({ origin, vkey: key.vkey }));
  const statement = ctx.boardKey.seal(LOG_KEY_PAYLOAD_TYPE, payload);
  if (isSigned) {
    ctx.store.transaction(() => {
      ctx.store.log.append({
        kind: 'log-key',
        operator_id: null,
        payload: statement,
        now: ctx.now(),
      });
    });
  }
  const view = new LogView(before, { origin, sign: key.sign });
  board.log = () => view;
  return { ...key, view };
}

describe('the key of a log', () => {
  test.each([
    ['a new key', (origin: string) => origin],
    ['a new name', () => 'board.example/log'],
  ])('is accepted with %s if the board signed it and the log goes on', async (_, originOf) => {
    const made = await aDeviceWithLog();
    const { device, identity, kept, key } = made;
    await checkLog(device, identity);
    const next = changeKey(made, { origin: originOf(key.origin) });

    const report = await checkLog(device, identity);

    expect(report).toMatchObject({ note: `the public log has a new key, ${next.vkey}` });
    expect(kept.read()?.keys.map(({ vkey }) => vkey)).toEqual([next.vkey, key.vkey]);
    expect(await checkLog(device, identity)).toMatchObject({ note: null });
  });

  test('is not accepted without a signature of the board', async () => {
    const made = await aDeviceWithLog();
    const { device, identity, key } = made;
    await checkLog(device, identity);
    changeKey(made, { origin: key.origin, isSigned: false });

    const failed = checkLog(device, identity);

    await expect(failed).rejects.toMatchObject({ code: 'log_key_changed', exitCode: 3 });
  });

  test('is not trusted if another key than that of the enrollment signed it', async () => {
    const { device, identity } = await aDeviceWithLog();
    const { kept } = await aDeviceWithLog();
    const stranger = { ...identity, board_public_key: kept.read()?.board_public_key ?? '' };

    const failed = checkLog(device, stranger);

    await expect(failed).rejects.toMatchObject({ code: 'log_key_changed' });
  });

  test.each([
    ['changes entries', (view: LogView) => view.with(changedAt(1)), 'log_replaced'],
    ['has fewer entries', (view: LogView) => view.with((all) => all.slice(0, 2)), 'log_replaced'],
  ])('is not accepted with a new name for a log that %s', async (_, change, code) => {
    const made = await aDeviceWithLog();
    const { device, identity, board, kept } = made;
    const receipt = await made.send();
    await checkLog(device, identity);
    const { view, vkey } = changeKey(made, { origin: 'board.example/log/2' });
    board.log = () => change(view);

    const failed = await checkLog(device, identity).catch((error: unknown) => error);
    await acceptLog(device, identity);
    const report = await checkLog(device, identity);

    expect(failed).toMatchObject({ code, message: /board\.example\/log\/2/ });
    expect(report).toMatchObject({ origin: 'board.example/log/2', evidence: [], waiting: 0 });
    expect(kept.read()?.keys.map((key) => key.vkey)).toEqual([vkey, made.key.vkey]);
    const [aside = ''] = readdirSync(join(kept.folder, '..')).filter((name) => /^log-/.test(name));
    const proof = join(kept.folder, '..', aside, 'proofs', `${receipt.log_index}.tlog-proof`);
    expect(readFileSync(proof, 'utf8')).toContain(made.key.origin);
  });

  test('is still known after lost entries were accepted, and new ones are proven', async () => {
    const made = await aDeviceWithLog();
    const { device, identity, board } = made;
    const lost = await made.send();
    await checkLog(device, identity);
    const honest = board.log;
    board.log = () => honest().with(changedAt(lost.log_index - 1));
    await expect(checkLog(device, identity)).rejects.toMatchObject({ code: 'log_split' });

    await acceptLog(device, identity);
    await made.send();

    expect(await checkLog(device, identity)).toMatchObject({ proven: 1, waiting: 0, evidence: [] });
  });
});
