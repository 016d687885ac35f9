import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { DomainError } from '#core/domain/text/errors.ts';
import { readBoardFile } from '#server/config/board-file.ts';
import { setAvatar } from '#server/operator/set-avatar.ts';
import { pictureSize } from '#server/config/board-logo.ts';
import { readOwnAvatar } from '#server/operator/own-profile.ts';
import {
  FUZZING,
  FUZZING_MS,
  mutatedBytes,
  mutatedText,
} from '#tests/support/fuzz/arbitrary-mutation.ts';
import { expectLinear } from '#tests/support/fuzz/arbitrary-text.ts';
import { anSvg } from '#tests/support/board/board-folder.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';
import { deflatedZeros, pictureOf, pngOf } from '#tests/support/pages/pictures.ts';

/** Decoding takes a few milliseconds each time. */
const PICTURES = { ...FUZZING, numRuns: Math.ceil(FUZZING.numRuns / 5) };
/** The memory that a decoder may use in addition. */
const MOST_BYTES = 300 * 1024 * 1024;

describe('avatars', { timeout: FUZZING_MS }, () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'from mutated %s bytes are rejected with an error or drawn again',
    async (format) => {
      const ctx = testContext();
      const { id } = anOperator(ctx, 'ada');
      const seeds = [await pictureOf(format), await pictureOf(format, { orientation: 6 })];
      const take = async (bytes: Uint8Array) => {
        try {
          await setAvatar(ctx, id, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          expect((error as DomainError).code).toMatch(/^(avatar_unac|unsupported_media|payload_)/);
          return;
        }
        const kept = await sharp(Buffer.from(readOwnAvatar(ctx, id) ?? [])).metadata();
        expect(kept).toMatchObject({ format: 'webp', width: 256, height: 256 });
      };

      await fc.assert(fc.asyncProperty(mutatedBytes(seeds), take), PICTURES);
      for (const seed of seeds) {
        for (let length = 0; length < seed.length; length += Math.ceil(seed.length / 12)) {
          await take(seed.subarray(0, length));
        }
      }
    },
  );

  test.each([
    ['more pixels than fit in memory', 60_000, 60_000, 1_000_000],
    ['a line without an end', 16_000_000, 1, 16_000_001],
    ['as many pixels as are taken, of which only some are there', 4_096, 4_096, 4_096],
    ['more data than it has pixels', 1, 1, 200_000_000],
  ])('of %s use little memory and time', async (_, width, height, length) => {
    const ctx = testContext();
    const { id } = anOperator(ctx, 'ada');
    const bomb = pngOf(width, height, deflatedZeros(length));
    const before = process.memoryUsage.rss();
    const start = process.cpuUsage();

    await setAvatar(ctx, id, bomb).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'avatar_unacceptable' });
    });

    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(10_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_BYTES);
  });
});

describe('files of an admin', { timeout: FUZZING_MS }, () => {
  const toml = `name = "Harbour lab"
description = "Ours."
links = [{ label = "Imprint", href = "https://a.example/i" }]
[[cohorts]]
id = "pilots"
name = "Pilots"
[colours.light]
accent = "#0B5C8A"
[eligibility]
total_tokens = 1_000_000
active_days = { 30d = 5 }
`;

  test('board.toml is valid, or its faults are reported', () => {
    fc.assert(
      fc.property(fc.oneof(mutatedText([toml]), fc.string({ unit: 'binary' })), (text) => {
        const read = readBoardFile(text);
        if ('faults' in read) expect(read.faults.join('')).not.toBe('');
      }),
      FUZZING,
    );
  });

  test('board.toml is read in linear time', () => {
    // The board folder's reader accepts at most 64 KiB.
    expect(() => expectLinear((text) => readBoardFile(text.slice(0, 65_536)))).not.toThrow();
  });

  test('a logo has a size, or is rejected', async () => {
    const seeds = {
      '.png': [await pictureOf('png')],
      '.webp': [await pictureOf('webp')],
      '.svg': [Buffer.from(anSvg(40, 30)), Buffer.from('<svg width="4px" height=\'3\'><a/></svg>')],
    };
    for (const [extension, pictures] of Object.entries(seeds)) {
      const property = fc.property(mutatedBytes(pictures), (bytes) => {
        const size = pictureSize(Buffer.from(bytes), extension);
        if (size === null) return;
        expect(size.width).toBeGreaterThan(0);
        expect(size.height).toBeGreaterThan(0);
      });
      fc.assert(property, FUZZING);
    }
    const read = (text: string) => pictureSize(Buffer.from(`<svg ${text}`), '.svg');
    expect(() => expectLinear(read)).not.toThrow();
  });
});
