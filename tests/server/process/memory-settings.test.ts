import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALLOCATOR, withAllocator } from '#server/process/memory-settings.ts';
import { ROOT } from '#tests/support/board/context.ts';

test('adds what the environment lacks, and keeps what the admin chose', () => {
  const chosen = { A: 'b', MALLOC_ARENA_MAX: '8' };

  expect(withAllocator(chosen)).toEqual({ ...ALLOCATOR, ...chosen });
});

test('an environment with all settings needs no restart, so a restart never repeats', () => {
  expect(withAllocator(withAllocator({}) ?? {})).toBeNull();
});

test('the systemd unit has the settings, so its service need not start twice', () => {
  const unit = readFileSync(join(ROOT, 'scripts/deploy/opbench.service'), 'utf8');
  const settings = Object.entries(ALLOCATOR).map((setting) => setting.join('='));

  expect(unit).toContain(`Environment=${settings.join(' ')}\n`);
});
