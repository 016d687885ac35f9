import { join } from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { feedFile } from '#agent/logs/bytes.ts';
import { LineFinder } from '#agent/logs/lines.ts';
import { aFolder } from '#tests/support/log-folder.ts';

const text = Array.from(
  { length: 60_000 },
  (_, index) => `{"needle":${index},"x":"${'y'.repeat(index % 90)}"}\n`,
);

async function read(path: string): Promise<string[]> {
  const lines: string[] = [];
  const finder = new LineFinder({ needles: ['"needle"'] });
  finder.begin((line) => lines.push(`${line}\n`) > 0);
  await feedFile(path, finder);
  return lines;
}

describe('feedFile()', () => {
  test('reads a plain file', async () => {
    const folder = aFolder({ 'a.jsonl': text.join('') });

    expect(await read(join(folder, 'a.jsonl'))).toEqual(text);
  });

  test('reads a packed file', async () => {
    const folder = aFolder({ 'a.jsonl.zst': zlib.zstdCompressSync(text.join('')) });

    expect(await read(join(folder, 'a.jsonl.zst'))).toEqual(text);
  });

  test.each(['a.jsonl', 'a.jsonl.zst'])('finds nothing in an empty %s', async (name) => {
    expect(await read(join(aFolder({ [name]: '' }), name))).toEqual([]);
  });

  test.each(['a.jsonl', 'a.jsonl.zst'])('throws for %s that is not there', async (name) => {
    await expect(read(join(aFolder(), name))).rejects.toThrow('ENOENT');
  });

  test('throws for a packed file that is damaged or torn', async () => {
    const packed = zlib.zstdCompressSync(text.join(''));
    const folder = aFolder({ 'a.zst': 'nonsense', 'b.zst': packed.subarray(0, packed.length / 2) });

    await expect(read(join(folder, 'a.zst'))).rejects.toThrow();
    await expect(read(join(folder, 'b.zst'))).rejects.toThrow();
  });

  test('throws for a packed file where the runtime cannot unpack it', async () => {
    const folder = aFolder({ 'a.zst': zlib.zstdCompressSync('') });

    const finder = new LineFinder({ needles: [] });

    await expect(feedFile(join(folder, 'a.zst'), finder, null)).rejects.toThrow('22.15');
  });
});
