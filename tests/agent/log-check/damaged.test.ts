import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLog } from '#agent/log-check/check-log.ts';
import { LogAlarm } from '#agent/log-check/log-alarm.ts';
import { aDeviceWithLog } from '#tests/support/tlog/device-of-log.ts';

type Made = Awaited<ReturnType<typeof aDeviceWithLog>>;

const check = ({ device, identity }: Made) => checkLog(device, identity);

/** Changes one byte. */
function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at % bytes.length, (bytes[at % bytes.length] ?? 0) ^ 1);
}

describe('an answer with one changed byte', () => {
  test.each(['/api/v1/log/consistency', '/api/v1/log/proof', '/.well-known/opbench-keys.json'])(
    'is found: %s',
    async (of) => {
      const made = await aDeviceWithLog();
      await made.send();
      if (of.endsWith('json')) made.kept.setAside('1');
      const whole = made.board.log();
      made.board.log = () => whole;
      let length = 1;
      let at = 0;
      made.board.change = async (path, answer) => {
        if (path !== of) return answer;
        const bytes = new Uint8Array(await answer.arrayBuffer());
        length = bytes.length;
        return new Response(flipped(bytes, at) as BodyInit);
      };
      const found = new Set<unknown>();
      for (at = 0; at < length; at += 7) {
        const result = await check(made).catch((error: unknown) => error);
        const isFound = result instanceof LogAlarm || (result as { note: unknown } | null)?.note;
        // Members of the list of keys that the check does not use may change.
        if (!isFound && !of.endsWith('json')) found.add(at);
      }
      expect([...found]).toEqual([]);
      expect(made.kept.proven().size).toBeLessThanOrEqual(of.endsWith('json') ? 1 : 0);
    },
  );
});

describe('damaged files', () => {
  test('do not break the check, whatever they contain', async () => {
    const made = await aDeviceWithLog();
    await made.send();
    await check(made);
    const path = join(made.kept.folder, 'log.json');
    const whole = readFileSync(path);
    const proofs = join(made.kept.folder, 'proofs');
    mkdirSync(join(proofs, '7.tlog-proof'), { recursive: true });
    for (const name of ['x.tlog-proof', '007.tlog-proof', '9.tmp']) {
      writeFileSync(join(proofs, name), 'garbage');
    }
    const damage = fc.oneof(
      fc.nat(whole.length).map((length) => whole.subarray(0, length)),
      fc.nat(whole.length - 1).map((at) => flipped(whole, at)),
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (bytes) => {
        writeFileSync(path, bytes);
        const report = await check(made).catch((error: unknown) => error);
        // A changed checkpoint or key is a contradiction; everything else starts from the beginning.
        if (!(report instanceof LogAlarm)) expect(report).toMatchObject({ proven: 1 });
      }),
      { numRuns: 150 },
    );
    expect(readdirSync(made.kept.folder)).not.toContain('log.json.tmp');
  });

  test('are named', async () => {
    const made = await aDeviceWithLog();
    writeFileSync(join(made.kept.folder, 'log.json'), '{}');
    expect(await check(made)).toMatchObject({ note: /was damaged/ });
    expect(await check(made)).toMatchObject({ note: null });
  });
});
