import { describe, expect, test } from 'vitest';
import {
  authorizationCommands,
  enrollCommands,
  enrollCommandsWithoutNpm,
  oneOptionALine,
  verifyCommands,
} from '#components/text/commands.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { RELEASE } from '#tests/support/board/context.ts';

/** What a POSIX shell makes of lines that end with a backslash. */
const joined = (command: string) => command.replaceAll('\\\n', '');

describe('oneOptionALine()', () => {
  test('leaves a short command as it is', () => {
    expect(oneOptionALine("curl --form a=b 'https://board.example/x'")).not.toContain('\n');
  });

  test('is the same command, with a line for each option and for the address', () => {
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
  test('are not broken inside of data', () => {
    const [register = ''] = authorizationCommands('https://board.example').register;
    expect(register.split('\n')).toHaveLength(4);
  });
});

describe('the commands of operators', () => {
  const byNpm = `npx --yes --allow-remote=root ${RELEASE.package.url}`;

  test('run what the board serves, which knows its address', () => {
    expect(enrollCommands(RELEASE, '7K3QX-9M2RT-4HWPB')).toEqual([
      `${byNpm} enroll 7K3QX-9M2RT-4HWPB`,
    ]);
    expect(enrollCommandsWithoutNpm(RELEASE, 'CODE')).toEqual([
      `curl -fsSLO ${RELEASE.file.url}`,
      'node opbench.mjs enroll CODE',
    ]);
  });

  test('check any board, without an account', () => {
    expect(verifyCommands(RELEASE, BASE_URL)).toEqual([`${byNpm} verify ${BASE_URL}`]);
  });
});
