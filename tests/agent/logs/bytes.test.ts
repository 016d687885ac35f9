import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { LineFinder } from '#agent/logs/lines.ts';
import { feedPacked, feedPlain } from '#agent/logs/read-log.ts';
import { ZstdFrames } from '#agent/logs/zstd-frames.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const text = Array.from(
  { length: 60_000 },
  (_, index) => `{"needle":${index},"x":"${'y'.repeat(index % 90)}"}\n`,
);
const whole = text.join('');

/** The lines that a feeder passes to a finder, and the number of bytes it reported. */
async function read(feed: (finder: LineFinder, pace: (bytes: number) => undefined) => unknown) {
  const lines: string[] = [];
  let bytes = 0;
  const finder = new LineFinder(['"needle"']);
  finder.begin((line) => void lines.push(`${line}\n`));
  await feed(finder, (count) => void (bytes += count));
  return { lines, bytes };
}

function readPacked(path: string) {
  return read((finder, pace) => feedPacked(path, finder, pace));
}

describe('feedPlain()', () => {
  const readPlain = async (content: string, from: number, to: number) => {
    const file = openSync(join(aFolder({ 'a.jsonl': content }), 'a.jsonl'), 'r');
    let end = -1;
    const found = await read(async (finder, pace) => {
      end = await feedPlain(file, { from, to, pace }, finder);
    });
    closeSync(file);
    return { ...found, end };
  };

  test('reads a file', async () => {
    expect(await readPlain(whole, 0, whole.length)).toEqual({
      lines: text,
      bytes: whole.length,
      end: whole.length,
    });
  });

  test('reads a part of a file', async () => {
    const from = text.slice(0, 50_000).join('').length;
    const to = text.slice(0, 50_010).join('').length;

    expect(await readPlain(whole, from, to + 5)).toMatchObject({
      lines: text.slice(50_000, 50_010),
      end: to + 5,
    });
  });

  test('returns the end of a file that is shorter than expected', async () => {
    expect(await readPlain('{"needle":1}\n', 0, 1000)).toMatchObject({ bytes: 13, end: 13 });
    expect(await readPlain('', 0, 0)).toMatchObject({ lines: [], end: 0 });
  });
});

describe('feedPacked()', () => {
  test('reads a compressed file', async () => {
    const folder = aFolder({ 'a.jsonl.zst': zlib.zstdCompressSync(whole) });

    expect(await readPacked(join(folder, 'a.jsonl.zst'))).toEqual({
      lines: text,
      bytes: whole.length,
    });
  });

  test('finds nothing in an empty file', async () => {
    expect((await readPacked(join(aFolder({ 'a.zst': '' }), 'a.zst'))).lines).toEqual([]);
  });

  const FRAMES = [whole, Buffer.from('{"input_tokens":7}\n'), Buffer.alloc(300_000, 'x\n')];
  const checksum = { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } };

  test('reads all frames of a file, also in small chunks', async () => {
    const bytes = Buffer.concat([
      ...FRAMES.map((frame) => zlib.zstdCompressSync(frame)),
      // A skippable frame of three bytes.
      Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]),
      ...FRAMES.map((frame) => zlib.zstdCompressSync(frame, checksum)),
      zlib.zstdCompressSync(''),
    ]);
    const path = join(aFolder({ 'a.zst': bytes }), 'a.zst');
    const length = FRAMES.reduce((sum, frame) => sum + frame.length, 0);

    expect((await readPacked(path)).bytes).toBe(2 * length);
    for (const size of [1, 2, 3, 5, 7, 1000]) {
      const frames = new ZstdFrames();
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        parts.push(...frames.split(bytes.subarray(at, at + size)));
      }
      expect(frames.ended).toBe(8);
      expect(Buffer.concat(parts)).toEqual(bytes);
    }
  });

  test('leaves out a frame that is being appended', async () => {
    const [first, last] = [whole, whole].map((frame) => zlib.zstdCompressSync(frame)) as [
      Buffer,
      Buffer,
    ];
    const torn = Buffer.concat([first, last.subarray(0, last.length - 4)]);

    const { lines } = await readPacked(join(aFolder({ 'a.zst': torn }), 'a.zst'));

    expect(lines.slice(0, text.length)).toEqual(text);
  });

  test('throws for a missing file', async () => {
    await expect(readPacked(join(aFolder(), 'a.zst'))).rejects.toThrow('ENOENT');
  });

  test('throws for a damaged or truncated file', async () => {
    const packed = zlib.zstdCompressSync(whole);
    const folder = aFolder({ 'a.zst': 'nonsense', 'b.zst': packed.subarray(0, packed.length / 2) });

    await expect(readPacked(join(folder, 'a.zst'))).rejects.toThrow();
    await expect(readPacked(join(folder, 'b.zst'))).rejects.toThrow();
  });

  test('throws if the runtime cannot decompress it', async () => {
    const path = join(aFolder({ 'a.zst': zlib.zstdCompressSync('') }), 'a.zst');

    await expect(read((finder, pace) => feedPacked(path, finder, pace, null))).rejects.toThrow(
      '22.15',
    );
  });
});
