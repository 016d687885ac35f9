import { describe, expect, test } from 'vitest';
import {
  ACCEPTED,
  type LoggedState,
  type StateKind,
  afterEntry,
  afterCompromise,
  stateOf,
} from '#core/domain/log/submission-state.ts';

/** The state after entries, in order. `recall` means that the device was marked as compromised. */
function stateAfter(...entries: (StateKind | 'recall')[]) {
  const last = entries.reduce<LoggedState>((state, entry) => {
    return entry === 'recall' ? afterCompromise(state) : afterEntry(state, entry);
  }, ACCEPTED);
  return stateOf(last);
}

describe('afterEntry()', () => {
  test.each([
    [[], 'accepted'],
    [['withdraw'], 'withdrawn'],
    [['withdraw', 'restore'], 'accepted'],
    [['restore'], 'accepted'],
    [['hold', 'withdraw'], 'withdrawn'],
    [['hold', 'withdraw', 'restore'], 'held'],
    [['reject', 'withdraw', 'restore'], 'rejected'],
    [['hold', 'release', 'withdraw', 'restore'], 'accepted'],
    [['withdraw', 'hold'], 'withdrawn'],
    [['withdraw', 'reject', 'restore'], 'rejected'],
    [['hold', 'withdraw', 'release', 'restore'], 'accepted'],
  ] as const)('of %s gives %s', (entries, state) => {
    expect(stateAfter(...entries)).toBe(state);
  });
});

describe('afterCompromise()', () => {
  test("keeps rejected submissions under the admin's control, because logs of earlier versions contain such a release", () => {
    expect(stateAfter('reject', 'recall', 'release')).toBe('accepted');
  });

  test.each([
    [['recall'], 'withdrawn'],
    [['recall', 'restore'], 'withdrawn'],
    [['withdraw', 'recall', 'restore'], 'withdrawn'],
    [['hold', 'recall', 'release', 'restore'], 'withdrawn'],
    [['reject', 'recall'], 'rejected'],
    [['hold', 'recall', 'release'], 'withdrawn'],
    [['reject', 'withdraw', 'recall', 'restore'], 'withdrawn'],
  ] as const)('allows no return: %s gives %s', (entries, state) => {
    expect(stateAfter(...entries)).toBe(state);
  });
});
