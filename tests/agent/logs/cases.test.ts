import { describe, expect, test } from 'vitest';
import { scanLogs } from '#agent/logs/scan.ts';
import { readers } from '#core/readers/readers.ts';
import { logCases } from '#tests/support/logs/log-fixtures.ts';
import { layOut } from '#tests/support/logs/log-home.ts';

describe('scanLogs() of a home folder with the logs of a case', () => {
  test.each(readers.flatMap(({ tool }) => logCases(tool)))('$tool $name: $note', async (of) => {
    const { buckets, sources } = await scanLogs(layOut(of), { index: null });
    const source = sources.find(({ tool }) => tool === of.tool);

    expect({ buckets, ...source }).toMatchObject({ buckets: of.buckets, unreadable: [] });
    expect(source?.skipped).toEqual(of.skipped);
    expect(source?.files).toBeGreaterThan(0);
  });
});
