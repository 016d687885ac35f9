import { describe, expect, onTestFinished, test } from 'vitest';
import { BODY_LIMIT_BYTES, SNAPSHOT_LIMIT_BYTES } from '#core/contract/limits.ts';
import { HeldBody } from '#server/http/request/held-body.ts';

const LARGE = Buffer.alloc(SNAPSHOT_LIMIT_BYTES, 1);
const USUAL = Buffer.alloc(BODY_LIMIT_BYTES, 2);

function hold(client: string, bytes: Buffer): HeldBody | null {
  const body = new HeldBody(client, SNAPSHOT_LIMIT_BYTES);
  onTestFinished(() => body.release());
  return body.append(bytes) ? body : null;
}

/** Holds bodies until one is rejected. */
function holdAll(clientOf: (at: number) => string, bytes: Buffer): HeldBody[] {
  const held: HeldBody[] = [];
  for (let body = hold(clientOf(0), bytes); body; body = hold(clientOf(held.length), bytes)) {
    held.push(body);
  }
  return held;
}

describe('HeldBody', () => {
  test('keeps appended data, in chunks of any size', () => {
    const body = new HeldBody('a', 200_000);
    const chunks = Array.from({ length: 20_000 }, (_, at) => Buffer.from(String(at).padEnd(10)));

    expect(chunks.every((chunk) => body.append(chunk))).toBe(true);

    expect(body.bytes.equals(Buffer.concat(chunks))).toBe(true);
    body.release();
    expect(body.bytes).toHaveLength(0);
  });

  test('lets one client hold four of the largest snapshots, and others hold more', () => {
    const [first] = holdAll(() => 'a', LARGE);

    expect(hold('a', LARGE)).toBeNull();
    expect(hold('a', USUAL)).not.toBeNull();
    expect(hold('b', LARGE)).not.toBeNull();
    first?.release();
    expect(hold('a', LARGE)).not.toBeNull();
  });

  test('holds less than 100 MiB in total, and leaves room for usual bodies next to large ones', () => {
    const large = holdAll(String, LARGE);
    const usual = holdAll(String, USUAL);

    expect(usual.length).toBeGreaterThan(100);
    const bytes = large.length * LARGE.length + usual.length * USUAL.length;
    expect(bytes).toBeLessThan(100 * 1024 * 1024);
    expect(large.length).toBeGreaterThanOrEqual(8);
  });
});
