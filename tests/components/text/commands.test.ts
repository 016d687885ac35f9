import { describe, expect, test } from 'vitest';
import {
  authorizationCommands,
  enrollCommands,
  enrollCommandsWithoutNpm,
  installCommands,
  oneOptionALine,
  verifyCommands,
} from '#components/text/commands.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { RELEASE } from '#tests/support/board/context.ts';

/** Joins lines that end with a backslash, like a POSIX shell. */
const joined = (command: string) => command.replaceAll('\\\n', '');

describe('oneOptionALine()', () => {
  test('does not change a short command', () => {
    expect(oneOptionALine("curl --form a=b 'https://board.example/x'")).not.toContain('\n');
  });

  test('splits a long command before each option and the URL', () => {
    const data = '--data-urlencode "code=$CODE"';
    const long = `curl ${data} ${data} ${data} 'https://board.example/oauth/token'`;
    const told = oneOptionALine(long);
    expect(joined(told)).toBe(long);
    expect(told.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'curl',
      '--data-urlencode',
      '--data-urlencode',
      '--data-urlencode',
      "'https://board.example/oauth/token'",
    ]);
  });
});

describe('the long commands', () => {
  test('are not split inside values', () => {
    const [register = ''] = authorizationCommands('https://board.example').register;
    expect(register.split('\n')).toHaveLength(4);
  });
});

describe('the commands of operators', () => {
  const byNpm = `npx --yes --allow-remote=root ${RELEASE.package.url}`;

  test("run the file that the board serves, which knows the board's URL", () => {
    expect(enrollCommands(RELEASE, '7K3QX-9M2RT-4HWPB')).toEqual([
      `${byNpm} enroll 7K3QX-9M2RT-4HWPB`,
    ]);
    const origin = new URL(RELEASE.file.url).origin;
    expect(installCommands(RELEASE, 'CODE')).toEqual({
      posix: [`curl -fsSL ${origin}/install.sh | sh -s -- enroll CODE`],
      windows: [`irm ${origin}/install.ps1 | iex; opbench enroll CODE`],
    });
    expect(enrollCommandsWithoutNpm(RELEASE, 'CODE')).toEqual([
      `curl -fsSLO ${RELEASE.file.url}`,
      'node opbench.mjs enroll CODE',
    ]);
  });

  test('verify any board, without an account', () => {
    expect(verifyCommands(RELEASE, BASE_URL)).toEqual([`${byNpm} verify ${BASE_URL}`]);
  });
});
