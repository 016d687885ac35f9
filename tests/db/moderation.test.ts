import { describe, expect, test } from 'vitest';
import { challengesIn } from '#db/challenges.ts';
import { moderationIn } from '#db/moderation.ts';
import { aPopulatedDatabase, plansOf } from '../support/board/database.ts';

/** Steps that read submissions, other than by their number. */
const FEW =
  /^(?:SCAN|SEARCH) (?:main\.submissions|packed_submissions) USING COVERING INDEX (?:packed_)?submissions_by_state/;

describe('submissions that do not count', () => {
  test.each([
    ['of the board', moderationIn, 'AS held_submissions'],
    ['of the days of a challenge', challengesIn, 'SELECT log_index, operator_id, tools'],
  ])('%s are found without reading those that count', (_, repositoryIn, statement) => {
    const plans = plansOf(aPopulatedDatabase(), repositoryIn);
    const { steps = [] } = plans.find(({ sql }) => sql.includes(statement)) ?? {};

    const read = steps.filter((step) =>
      /^(?:SCAN|SEARCH) (?:s$|s |main\.sub|packed_sub)/.test(step),
    );
    const others = read.filter((step) => !/USING INTEGER PRIMARY KEY/.test(step));
    expect(others).toEqual([expect.stringMatching(FEW), expect.stringMatching(FEW)]);
  });

  test('have the last entry with that decision, and snapshots are not parsed', () => {
    const db = aPopulatedDatabase();
    db.exec(`
      INSERT INTO main.submissions (log_index, id, operator_id, device_id, submission_id, payload_hash, records, days,
        first_day, last_day, tools, answer)
      SELECT log_index, 's' || log_index, 1, 3, log_index, '', 1, 1, '2026-03-01', '2026-03-01', '[]', ''
      FROM log_entries WHERE log_index <= 4;
      UPDATE main.submissions SET state = 'held' WHERE log_index = 2;
      UPDATE main.submissions SET state = 'rejected' WHERE log_index = 3;
    `);
    const enter = db.prepare(
      `UPDATE main.log_entries SET operator_id = 1, kind = ?, salt = zeroblob(32), payload = CAST(? AS BLOB)
       WHERE log_index = ?`,
    );
    for (const place of [1, 2, 3, 4]) enter.run('snapshot', 'too long to be parsed', place);
    enter.run('hold', '{"submission":"s2","reason":"first"}', 5);
    enter.run('hold', '{"submission":"s3","reason":"held"}', 6);
    enter.run('reject', '{"submission":"s3","reason":"rejected"}', 7);
    enter.run('hold', '{"submission":"s2","reason":"last"}', 8);

    const decided = moderationIn(db).decided(1, 10);

    expect(decided.map(({ id, state, payload }) => [id, state, JSON.parse(payload)])).toEqual([
      ['s2', 'held', { submission: 's2', reason: 'last' }],
      ['s3', 'rejected', { submission: 's3', reason: 'rejected' }],
    ]);
  });
});
