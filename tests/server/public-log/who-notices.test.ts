/** Which lies of a board a device, a mirror and a witness notice: the table of /transparency. */
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkLog } from '#agent/log-check/check-log.ts';
import { Failure } from '#agent/failure.ts';
import { cosignCheckpoint } from '#server/witness/cosign-checkpoint.ts';
import { openWitnessKey } from '#server/witness/witness-key.ts';
import { addWitnessedLog } from '#server/witness/witnessed-logs.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { forge, signAnew } from '#tests/support/board/public-log.ts';
import { aDeviceWithLog } from '#tests/support/tlog/device-of-log.ts';
import { type LogView, changedAt, reordered } from '#tests/support/tlog/log-view.ts';
import { aLyingBoard, flip } from '#tests/support/tlog/lying-board.ts';
import { aMirrorOf, wrongIn } from '#tests/support/tlog/mirror-scene.ts';

type Noticed = 'no' | 'yes';

/** A board with a device, a mirror and a witness, which have all seen its log. */
async function aWatchedBoard({ isFirst = false } = {}) {
  const made = await aDeviceWithLog();
  const { ctx, device, identity, key } = made;
  const other = await anEnrolledDevice(ctx, 'bob');
  await submit(ctx, other, bucketsOfDays(9, '2026-02-25'));
  await made.send();
  publishAndKeep(ctx);
  const honest = made.board.log();
  const board = await aLyingBoard(ctx);
  const watcher = aMirrorOf(board);
  const mirror = await watcher.open();
  const witness = testContext();
  openWitnessKey(witness.config, witness.config.baseUrl);
  addWitnessedLog(witness.store, key.vkey, witness.now());
  await cosignCheckpoint(witness, honest.consistency(0));
  if (!isFirst) {
    await checkLog(device, identity);
    await mirror.pass();
    expect(wrongIn(mirror)).toEqual([]);
  }
  let path = '';
  board.onRequest = (asked) => void (path = asked);
  return {
    send: made.send,
    ctx,
    log: made.board.log,
    shown: made.board,
    board,
    honest,
    clock: watcher.clock,
    /** Shows another log to everybody. */
    show(log: LogView) {
      made.board.log = () => log;
      board.lie(/^log\/(?:checkpoint|tile\/)/, () => log.file(path));
    },
    async byDevice(): Promise<Noticed> {
      const failed = await checkLog(device, identity).catch((error: unknown) => error);
      return failed instanceof Failure ? 'yes' : 'no';
    },
    async byMirror(): Promise<Noticed> {
      await mirror.pass();
      return wrongIn(mirror).length > 0 ? 'yes' : 'no';
    },
    async byWitness(log: LogView, change = (request: string) => request): Promise<Noticed> {
      const from = Math.min(honest.entries.length, log.entries.length);
      const { status } = await cosignCheckpoint(witness, change(log.consistency(from)));
      return status === 200 ? 'no' : 'yes';
    },
  };
}

/** What /transparency says of a lie: of devices, mirrors and witnesses. */
function saidOf(lie: string): Noticed[] {
  const text = readFileSync('src/components/method/transparency.md', 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${lie} `)) ?? expect.fail(lie);
  const [, , cell = ''] = row.split('|');
  return [/device/i, /mirror/i, /witness/i].map((who) => (who.test(cell) ? 'yes' : 'no'));
}

test.each<[lie: string, isFirst: boolean, change: (log: LogView) => LogView]>([
  ['Entries at the end are gone', false, (log) => log.with((all) => all.slice(0, -1))],
  ['Another log of the same length', false, (log) => log.with(changedAt(1))],
  ['Two earlier entries changed places', false, (log) => log.with(reordered(0, 1))],
  ['Another log for those who see it first', true, (log) => log.with((all) => all.slice(0, -1))],
])('who notices: %s', async (lie, isFirst, change) => {
  const scene = await aWatchedBoard({ isFirst });
  const log = change(scene.honest);
  scene.show(log);

  const noticed = [await scene.byDevice(), await scene.byMirror(), await scene.byWitness(log)];

  expect(noticed).toEqual(saidOf(lie));
});

test('who notices: a withheld payload', async () => {
  const scene = await aWatchedBoard();
  scene.clock.ms += 180_000;
  await scene.byMirror();
  const withoutLast = (bytes: Buffer) =>
    bytes
      .toString()
      .split(/(?<=\n)/)
      .slice(0, -1)
      .join('');
  scene.board.lie('log/payload/000', withoutLast);
  scene.clock.ms += 25 * 3_600_000;
  await scene.byMirror();
  scene.clock.ms += 3_600_000;

  const noticed = [
    await scene.byDevice(),
    await scene.byMirror(),
    await scene.byWitness(scene.honest),
  ];

  expect(noticed).toEqual(saidOf('A payload is withheld'));
});

test('who notices: standings that do not follow from the log', async () => {
  const scene = await aWatchedBoard();
  scene.board.lie(/ndjson\.gz$/, (bytes) => {
    const lines = gunzipSync(bytes)
      .toString()
      .split(/(?<=\n)/);
    const forged = lines.map((text) =>
      text.startsWith('{"line":"standing"')
        ? forge(text.replace(/"yield":\[1,/, '"yield":[2,'), () => undefined)
        : text,
    );
    return gzipSync(signAnew(scene.ctx, forged).join(''));
  });
  scene.clock.ms += 25 * 3_600_000;

  const noticed = [
    await scene.byDevice(),
    await scene.byMirror(),
    await scene.byWitness(scene.honest),
  ];

  expect(noticed).toEqual(saidOf('Standings that do not follow from the log'));
});

test('who notices: a changed byte', async () => {
  const scene = await aWatchedBoard();
  await scene.send();
  scene.board.advance();
  scene.board.lie(/^log\/tile\/0/, flip);
  scene.shown.change = async (path, answer) => {
    if (!path.startsWith('/log') && !path.startsWith('/api/v1/log/')) return answer;
    return new Response(new Uint8Array(flip(Buffer.from(await answer.arrayBuffer()))));
  };
  const grown = scene.log();
  const inProof = (request: string) =>
    flip(Buffer.from(request), request.indexOf('\n') + 9).toString();

  const noticed = [
    await scene.byDevice(),
    await scene.byMirror(),
    await scene.byWitness(grown, inProof),
  ];

  expect(noticed).toEqual(saidOf('A changed byte in a checkpoint or its proof'));
});
