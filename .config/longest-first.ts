import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, first those that take most. A lane starts with them, because a long file that starts last
 * runs alone while the other core is idle. Without this list, a fresh clone starts the largest files first.
 */
export const LONGEST = [
  'tests/browser/quality.test.ts',
  'tests/browser/passkeys.test.ts',
  'tests/browser/first-challenge.test.ts',
  'tests/browser/satellite.test.ts',
  'tests/browser/reading-conditions.test.ts',
  'tests/browser/enhancements.test.ts',
  'tests/browser/report.test.ts',
  'tests/browser/quality-keyboard.test.ts',
  'tests/browser/embed.test.ts',
  'tests/e2e/agent/scenarios.test.ts',
  'tests/e2e/docs/docs-examples.test.ts',
  'tests/e2e/backups/scheduled.test.ts',
  'tests/e2e/process/storage.test.ts',
  'tests/e2e/process/life.test.ts',
  'tests/e2e/admin/settings.test.ts',
  'tests/e2e/backups/promotion.test.ts',
  'tests/e2e/publication/object-store.test.ts',
  'tests/server/backups/promote.test.ts',
  'tests/e2e/backups/moves.test.ts',
  'tests/e2e/submission/loop.test.ts',
  'tests/e2e/agent/release.test.ts',
  'tests/e2e/public-log/mirror.test.ts',
  'tests/e2e/public-log/calibration.test.ts',
  'tests/server/mirror/lying-boards.test.ts',
  'tests/server/object-store/uploader.test.ts',
  'tests/server/object-store/s3-store.test.ts',
  'tests/e2e/public-log/device-log.test.ts',
  'tests/server/publication/random-history.test.ts',
  'tests/server/facts/plan-facts.test.ts',
  'tests/server/facts/random-history.test.ts',
  'tests/core/contract/openapi/lint.test.ts',
  'tests/server/cli-release/install.test.ts',
  'tests/agent/auto/switch.test.ts',
  'tests/agent/mcp/install.test.ts',
  'tests/server/verify/verify.test.ts',
  'tests/server/witness/witness-client.test.ts',
  'tests/server/publication/publisher.test.ts',
];

/** Starts the longest files of each lane first, and the others in Vitest's own order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const lanes = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...lanes.values()].flatMap((lane) => lane.toSorted((a, b) => rank(a) - rank(b)));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return at === -1 ? LONGEST.length : at;
}
