import { describe, expect, test } from 'vitest';
import {
  formerName,
  giveUpCodename,
  isCodenameFree,
  reserveCodename,
} from '#server/operator/codenames.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, anOperator, query, testContext } from '#tests/support/board/context.ts';

describe('isCodenameFree()', () => {
  test('rejects reserved words, taken names, and names that look like aliases', () => {
    const ctx = testContext();
    const ada = anOperator(ctx, 'ada');

    expect(isCodenameFree(ctx, 'grace')).toBe(true);
    expect(isCodenameFree(ctx, 'admin')).toBe(false);
    expect(isCodenameFree(ctx, 'anonymous-0123456789')).toBe(false);
    expect(isCodenameFree(ctx, 'ada')).toBe(false);
    expect(isCodenameFree(ctx, 'ada', ada.id)).toBe(true);
    expect(isCodenameFree(ctx, 'ada', ada.id + 1)).toBe(false);
  });

  test('reserves a former name for 90 days for its operator', () => {
    const ctx = testContext();
    const ada = anOperator(ctx, 'ada');
    giveUpCodename(ctx, 'old-ada', ada.id);

    ctx.clock.nowMs += 90 * DAY_MS - 1;
    expect(isCodenameFree(ctx, 'old-ada')).toBe(false);
    expect(isCodenameFree(ctx, 'old-ada', ada.id)).toBe(true);
    ctx.clock.nowMs += 1;
    expect(isCodenameFree(ctx, 'old-ada')).toBe(true);
  });

  test("reserves a deleted account's name for 90 days, without storing the name itself", () => {
    const ctx = testContext();
    reserveCodename(ctx, 'ada-the-first');

    expect(isCodenameFree(ctx, 'ada-the-first')).toBe(false);
    expect(JSON.stringify(query(ctx, 'SELECT * FROM reserved_codenames'))).not.toContain(
      'the-first',
    );
    ctx.clock.nowMs += 90 * DAY_MS;
    expect(isCodenameFree(ctx, 'ada-the-first')).toBe(true);
  });

  test('reserves names on two boards with different hashes', () => {
    const [one, other] = [testContext(), testContext()];
    reserveCodename(one, 'ada');
    reserveCodename(other, 'ada');
    const hashOf = (ctx: typeof one) => query(ctx, 'SELECT codename_hash FROM reserved_codenames');

    expect(hashOf(one)).not.toEqual(hashOf(other));
  });
});

test('a name is free after that time, even if its row still exists', () => {
  const ctx = testContext();
  const ada = anOperator(ctx, 'ada');
  giveUpCodename(ctx, 'old-ada', ada.id);
  const formerOf = () => ctx.store.codenames.formerOf(ada.id, ctx.now().toISOString());

  ctx.clock.nowMs += 90 * DAY_MS - 1;
  expect(formerOf()).toEqual(['old-ada']);
  ctx.clock.nowMs += 1;
  expect(formerOf()).toEqual([]);
});

describe('formerName()', () => {
  test('redirects to the operator until the name is taken again', async () => {
    const ctx = testContext();
    const ada = anOperator(ctx, 'ada');
    giveUpCodename(ctx, 'old-ada', ada.id);

    expect(formerName(ctx, 'old-ada')).toBeNull();
    await anEnrolledDevice(ctx, 'ada');
    expect(formerName(ctx, 'old-ada')).toBe('ada');
    expect(formerName(ctx, 'nobody')).toBeNull();
    ctx.clock.nowMs += 90 * DAY_MS;
    expect(formerName(ctx, 'old-ada')).toBeNull();
  });
});
