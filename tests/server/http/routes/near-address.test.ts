import { describe, expect, test } from 'vitest';
import { DomainError } from '#core/domain/text/errors.ts';
import { nearAddress, nothingAt } from '#server/http/response/redirection.ts';
import { cpuMsOf } from '#tests/support/board/time.ts';

describe('nearAddress()', () => {
  test.each([
    ['/api/v1/leaderbord', '/api/v1/leaderboard'],
    ['/api/v1/Leaderboard', '/api/v1/leaderboard'],
    ['/api/v1/operator/ada', '/api/v1/operators/ada'],
    ['/api/v1/operators/ada/histroy', '/api/v1/operators/ada/history'],
    ['/leaderboard/30d/yeild', '/leaderboard/30d/yield'],
    ['/metric/velocity', '/metrics/velocity'],
    ['/operator/ada', '/operators/ada'],
    ['/developer', '/developers'],
    ['/llm.txt', '/llms.txt'],
  ])('of %s is %s', (typed, near) => {
    expect(nearAddress(typed)).toBe(near);
  });

  test.each(['/', '/wp-login.php', '/api/v1', '/operators/ada', `/${'a'.repeat(100)}`, '*'])(
    'of %s is none',
    (typed) => {
      expect(nearAddress(typed)).toBeNull();
    },
  );

  test('is found quickly for a thousand paths', () => {
    const ms = cpuMsOf(() => {
      for (let at = 0; at < 1000; at += 1) nearAddress(`/api/v1/operators/x${at}/histories`);
    });
    expect(ms).toBeLessThan(5000);
  });
});

test('an error suggests the address that may be meant', () => {
  const path = '/api/v1/leaderbord';
  const refused = nothingAt({ path, target: path });
  expect(refused).toBeInstanceOf(DomainError);
  expect(refused.message).toBe(
    'Nothing was found at /api/v1/leaderbord. Did you mean /api/v1/leaderboard?',
  );
});
