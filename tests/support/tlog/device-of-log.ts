/** A device on a board whose log tests can exchange. */
import type { Fetch } from '#agent/board/client.ts';
import { KeptLog } from '#agent/log-check/kept-log.ts';
import { submit } from '#agent/loop/submit.ts';
import { aDeviceOf, fetchFrom, sendable } from '#tests/support/agent/agent.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import { logKeyOf } from './board-checkpoints.ts';
import { LogView, entriesOf } from './log-view.ts';

/** An enrolled device. `board.log` is what the board shows; it is honest until a test changes it. */
export async function aDeviceWithLog() {
  const ctx = testContext();
  const key = logKeyOf(ctx);
  const asked: string[] = [];
  const board = {
    log: () => new LogView(entriesOf(ctx.store), key),
    change: (_path: string, answer: Response): Promise<Response> | Response => answer,
  };
  const others = fetchFrom(ctx);
  const fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(url);
    asked.push(url);
    return board.change(pathname, board.log().answer(url) ?? (await others(url, init)));
  };
  const device = aDeviceOf(ctx, fetch);
  const identity = await enrolled(ctx, device);
  const kept = new KeptLog(device.keystore.folderOf(identity.board));
  let day = 0;
  /** Submits a day. Returns its receipt. */
  const send = async () => {
    day += 1;
    const bucket = aBucket({ day: `2026-02-${String(day).padStart(2, '0')}` });
    const { receipts } = await submit(device, identity, sendable([bucket]));
    const [receipt] = receipts;
    if (!receipt) throw new Error('There is no receipt');
    return receipt;
  };
  return {
    asked,
    board,
    ctx,
    device,
    identity,
    kept,
    key,
    send,
  };
}
