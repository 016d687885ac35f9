import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkpointPath } from '#server/config/config.ts';
import { aBoard, examine } from '#tests/support/board/doctor.ts';
import { checkpointsOf } from '#tests/support/tlog/board-checkpoints.ts';

test('a log that contradicts the largest checkpoint is a problem', async () => {
  const { ctx, settings } = await aBoard();
  const path = checkpointPath(ctx.config);
  const checkpoints = checkpointsOf(ctx);
  checkpoints.advance();
  const { checks } = await examine(settings);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.replace(/\n\d+\n/, '\n1000\n'));
  const rewound = await examine(settings);
  writeFileSync(path, 'damaged');
  const damaged = await examine(settings);

  expect(checks).toContainEqual(
    expect.objectContaining({ about: 'log checkpoint', severity: 'ok' }),
  );
  expect([rewound.status, rewound.told[0]]).toEqual([
    3,
    'problem log checkpoint: the log has fewer entries than the checkpoint that this board published',
  ]);
  expect([damaged.status, damaged.told[0]]).toEqual([3, expect.stringContaining('cannot be read')]);
});
