import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bucketsOfDays } from '../support/board/builders.ts';
import { aFullDisk, eventsIn } from '../support/board/disk.ts';
import { eventually, startServer } from '../support/http/server.ts';
import { aLivePayload, aProblem, enrollOverHttp, postSnapshot } from '../support/http/wire.ts';

const CAN_MOUNT = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;

test.skipIf(!CAN_MOUNT)(
  'a full disk rejects snapshots, and accepts them when there is room',
  async () => {
    const before = await startServer({ env: { BASE_URL: 'https://board.test' } });
    const device = await enrollOverHttp(before, await before.signIn('ada'));
    await before.stop();
    const disk = aFullDisk(before.dataDir);
    const server = await startServer(disk.options);
    const envelope = async (output: number) =>
      device.seal(aLivePayload(before, bucketsOfDays(300, '2025-12-01', { output })));
    expect(await postSnapshot(server, await envelope(1))).toMatchObject({ status: 201 });

    disk.fill(server);
    let refused = await postSnapshot(server, await envelope(2));
    for (let output = 3; refused.status === 201 && output < 50; output += 1) {
      refused = await postSnapshot(server, await envelope(output));
    }

    expect(refused).toMatchObject(aProblem(503, 'service_unavailable'));
    const faults = await eventually(
      async () => eventsIn(server.log(), 'storage_failed').map(({ fault }) => fault),
      ({ length }) => length > 0,
    );
    expect(new Set(faults)).toEqual(new Set(['full']));
    expect((await fetch(server.url)).status).toBe(200);

    disk.empty(server);
    expect(await postSnapshot(server, await envelope(99))).toMatchObject({ status: 201 });
    const seen = async () => eventsIn(server.log(), 'published').length;
    const published = await seen();
    expect(await eventually(seen, (times) => times > published)).toBeGreaterThan(published);
    expect(server.log()).not.toContain('"level":"error"');
  },
);
