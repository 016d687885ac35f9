import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { outboxOf } from '#agent/loop/submit.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import { exportOf, forge } from '#tests/support/board/public-log.ts';
import { aBoard, aFile, verify } from '#tests/support/board/verify.ts';

describe('opbench verify FILE', () => {
  async function files() {
    const { ctx, device, identity } = await aBoard();
    return { device, identity, lines: exportOf(ctx), text: exportOf(ctx).join('') };
  }

  test('reads it compressed or not', async () => {
    const { device, text } = await files();
    for (const content of [text, gzipSync(text)]) {
      expect((await verify(device, aFile(content))).report).toMatchObject({
        sound: true,
        live: null,
        own_receipts: 1,
      });
    }
  });

  test.each([
    ['a line without an end', Buffer.from('{"line":"header"')],
    ['bytes that are not text', Buffer.from([0xff, 10])],
    ['a line that would fill the memory', Buffer.alloc(20 * 1024 * 1024, 'x')],
  ])('finds %s', async (_, content) => {
    const { device, lines } = await files();
    const start = Buffer.from(lines.slice(0, 4).join(''));
    const { exitCode, report } = await verify(device, aFile(Buffer.concat([start, content])));
    const found = expect.objectContaining({ code: 'line_unreadable', line: 5 });
    expect(report['findings']).toContainEqual(found);
    expect(exitCode).toBe(3);
  });

  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html>\n<p>Not found</p>\n'],
    ['a line that would fill the memory', Buffer.alloc(20 * 1024 * 1024, 'x')],
    ['truncated compressed data', gzipSync('x'.repeat(99)).subarray(0, 30)],
  ])('rejects %s', async (_, content) => {
    const device = aDeviceOf(testContext());
    const message = expect.stringContaining('is not the public log of a board');
    await expect(verify(device, aFile(content))).rejects.toMatchObject({ exitCode: 1, message });
  });

  test('reports a missing file', async () => {
    const device = aDeviceOf(testContext());
    const folder = dirname(aFile(''));
    await expect(verify(device, folder)).rejects.toMatchObject({
      exitCode: 1,
      message: `${folder} is not a file`,
    });
    await expect(verify(device, join(folder, 'gone'))).rejects.toMatchObject({
      exitCode: 1,
      message: `There is no file ${join(folder, 'gone')}`,
    });
  });

  test('does not treat another URL as a file', async () => {
    const device = aDeviceOf(testContext());
    const message = '"ftp://bench.example.org/log" is not the address of a board';
    await expect(verify(device, 'ftp://bench.example.org/log')).rejects.toMatchObject({
      exitCode: 1,
      message,
    });
  });

  test('reads everything before the damage in a compressed file, and reports nothing as missing', async () => {
    const { device, text } = await files();
    const packed = gzipSync(text);
    const otherSum = Buffer.from(packed);
    otherSum[packed.length - 6] = (packed.at(-6) as number) ^ 1;
    const behind = [otherSum, Buffer.concat([packed, Buffer.from([0x1f, 0x8b, 1, 1, 1, 1, 1])])];
    const lines = text.split('\n').length;
    for (const content of behind) {
      const { findings } = (await verify(device, aFile(content))).report;
      expect(findings).toMatchObject([{ code: 'line_unreadable', line: lines }]);
    }
    const cut = gzipSync(text.slice(0, text.lastIndexOf('{"line":"standing"') + 40));
    const { findings } = (await verify(device, aFile(cut))).report;
    const codes = (findings as { code: string }[]).map(({ code }) => code);
    expect(codes).toEqual(['line_unreadable', 'file_incomplete']);
  });

  test('looks up its receipts by the key of the board, even with another address', async () => {
    const { device, identity, lines } = await files();
    const receipt = { log_index: 2, entry_hash: 'f'.repeat(64), received_at: '2026-03-10' };
    outboxOf(device, identity).confirm('lost', { correction: null, buckets: [] }, receipt);
    const header = forge(lines[0] as string, (line) => (line['base_url'] = 'https://other.test'));

    const { report } = await verify(device, aFile(lines.with(0, header).join('')));
    expect(report['findings']).toContainEqual(
      expect.objectContaining({ code: 'own_receipt', log_index: 2 }),
    );
    expect(report['notes']).toContainEqual(
      expect.stringContaining(`for https://other.test, not for ${BASE_URL}`),
    );
  });

  test('says what was not checked', async () => {
    const ctx = testContext();
    const output = anOutput();
    const file = aFile(exportOf(ctx).join(''));
    await runCommand(aDeviceOf(ctx), 'verify', [file], output);
    expect(output.results.join('')).toContain('Not checked: any board');
  });

  test('makes control characters harmless', async () => {
    const { device, lines } = await files();
    const header = forge(lines[0] as string, (line) => (line['base_url'] = 'x\u001b[2J'));
    const output = anOutput();
    const args = [aFile(lines.with(0, header).join(''))];
    await runCommand(device, 'verify', args, output);

    expect(output.results.join('')).toContain('x[2J, log up to entry');
    expect(output.results.join('')).toContain('Not sound');
  });

  test('exits with 1 without an argument', async () => {
    const device = aDeviceOf(testContext());
    await expect(verify(device, '/nowhere/log')).rejects.toMatchObject({ exitCode: 1 });
  });
});
