import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Grammar, grammarOf } from '#agent/completion/grammar.ts';
import { SCRIPTS, SHELLS } from '#agent/completion/scripts.ts';
import { COMMAND_NAMES } from '#agent/command-names.ts';
import { COMMANDS } from '#agent/commands.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

let grammar: Grammar;

beforeAll(async () => {
  grammar = await grammarOf(COMMANDS);
});

/** Completes the last of these words in a shell; empty if the shell is not installed. */
type Complete = (words: readonly string[]) => string[];

function completedBy(program: string, args: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split(/\s+/).filter((word) => word !== '');
}

const inBash: Complete = (words) => {
  const file = join(aFolder({ 'c.sh': SCRIPTS.bash(grammar) }), 'c.sh');
  const script = `. '${file}'; shift 0; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _opbench; echo "\${COMPREPLY[@]}"`;
  return completedBy('bash', ['-c', script, 'bash', ...words]);
};

const inFish: Complete = (words) => {
  const file = join(aFolder({ 'c.fish': SCRIPTS.fish(grammar) }), 'c.fish');
  const script = `source '${file}'; complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''`;
  return completedBy('fish', ['--no-config', '-c', script]);
};

const inPowerShell: Complete = (words) => {
  const file = join(aFolder({ 'c.ps1': SCRIPTS.powershell(grammar) }), 'c.ps1');
  const line = words.join(' ');
  const script = `Get-Content -Raw '${file}' | Invoke-Expression
[Management.Automation.CommandCompletion]::CompleteInput('${line}', ${line.length}, $null).CompletionMatches.CompletionText`;
  return completedBy(POWERSHELL, ['-NoProfile', '-NonInteractive', '-Command', script]);
};

const POWERSHELL = process.platform === 'win32' ? 'powershell' : 'pwsh';
const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined;

const CASES: [words: string[], expected: string[]][] = [
  [['opbench', 'sc'], ['scan']],
  [
    ['opbench', 'auto', ''],
    ['on', 'off', 'status', '--help', '--json'],
  ],
  [
    ['opbench', 'auto', 'o'],
    ['on', 'off'],
  ],
  [
    ['opbench', 'scan', '--ex'],
    ['--exclude-tools', '--exclude-folders'],
  ],
  [
    ['opbench', 'board', '--window', ''],
    ['7d', '30d', '90d', 'all_time'],
  ],
  [['opbench', 'board', '--window', '7'], ['7d']],
  [['opbench', 'submit', '--exclude-tools', 'cod'], ['codex']],
  [['opbench', 'config', 'set', 'lab'], ['label']],
  [['opbench', 'mcp', 'install', 'cla'], ['claude-code']],
  [['opbench', 'completion', 'fi'], ['fish']],
  [['opbench', 'status', 'sub'], []],
];

describe.each([
  ['bash', inBash, process.platform !== 'win32' && isInstalled('bash')],
  ['fish', inFish, isInstalled('fish')],
  [POWERSHELL, inPowerShell, process.platform === 'win32' || isInstalled(POWERSHELL)],
] as const)('completion in %s', (shell, complete, isThere) => {
  test.runIf(isThere).each(CASES)('of %j is %j', (words, expected) => {
    const found = complete(words);

    // fish lists options only after a dash, and sorts.
    const flags = shell === 'fish' && words.at(-1) === '' ? ['--help', '--json'] : [];
    expect(found.sort()).toEqual(expected.filter((word) => !flags.includes(word)).sort());
  });
});

test('bash lists the commands first, and leaves other values to the completion of files', () => {
  if (process.platform === 'win32') return;

  expect(inBash(['opbench', ''])).toEqual([...COMMAND_NAMES, '--help', '--version']);
  expect(inBash(['opbench', 'board', '--limit', ''])).toEqual([]);
});

describe.each(SHELLS)('the script for %s', (shell) => {
  test('has every command and flag', () => {
    const script = SCRIPTS[shell](grammar);
    const flags = grammar.flatMap(({ options }) => options.map(({ flag }) => flag));

    for (const word of [...COMMAND_NAMES, ...flags]) {
      const written = shell === 'fish' ? word.replace(/^--/, '') : word;
      expect(script).toMatch(new RegExp(`(?<![\\w-])${written}(?![\\w-])`));
    }
    expect(grammar.map(({ name }) => name)).toEqual(COMMAND_NAMES);
  });

  test('is printed by the command', async () => {
    const output = anOutput();

    await runCommand(aDeviceOf(testContext()), 'completion', [shell], output);

    expect(output.results).toEqual([SCRIPTS[shell](grammar)]);
  });
});

test('an unknown shell is rejected with the known ones', async () => {
  const device = aDeviceOf(testContext());

  await expect(runCommand(device, 'completion', ['tcsh'], anOutput())).rejects.toThrow(
    'completion needs a shell: bash, zsh, fish, powershell',
  );
});
