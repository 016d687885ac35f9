/** Runs the examples of the documentation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { sharing } from '#tests/support/board/cleanup.ts';
import { type FullBoard, aFullBoard } from '#tests/support/http/contract-board.ts';
import { docsFiles } from '#tests/support/pages/docs-files.ts';
import { runScript, scriptOf } from '#tests/support/pages/docs-shell.ts';

const scripts = docsFiles().map((file) => [file.file, scriptOf(file)] as const);
let board: FullBoard;

// The examples are for POSIX shells.
describe.skipIf(process.platform === 'win32')('the examples', () => {
  beforeAll(async () => {
    const cleanups: (() => void)[] = [];
    board = await sharing(cleanups, () => aFullBoard());
    return () => cleanups.reverse().forEach((clean) => clean());
  });

  test.each(scripts.filter(([, script]) => script !== ''))('%s', async (_, script) => {
    const { status, stdout, stderr } = await runScript(script, board);

    if (status !== 0) throw new Error(`The example ended with ${status}:\n${stderr}\n${stdout}`);
  });

  test('both programs, the variables and the address of the board are available', async () => {
    const script = [
      'opbench submit --dry-run',
      'opbench submit',
      'opbench-board verify',
      'curl -fsS -H "Cookie: $COOKIE" https://bench.example.org/api/v1/me',
      'curl -fsS -H "Authorization: Bearer $TOKEN" https://bench.example.org/api/v1/me',
      'curl -fsS "https://bench.example.org/operators/$CODENAME.md"',
    ];
    const { status, stdout, stderr } = await runScript(script.join('\n'), board);

    expect([status, stderr]).toEqual([0, stderr]);
    expect(stdout).toContain('# ada');
  });

  test('a failing example is noticed, even before the end of a pipe', async () => {
    const ended = await runScript('false | cat\necho "went on"', board);

    expect(ended).toMatchObject({ stdout: '' });
    expect(ended.status).not.toBe(0);
  });
});
