import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { envFileOfNode, readEnvFile } from '#server/config/env-file.ts';
import { aDataDir } from '#tests/support/board/context.ts';

function aFile(content: string | Buffer): string {
  const path = join(aDataDir(), 'board.env');
  writeFileSync(path, content);
  return path;
}

describe('readEnvFile()', () => {
  test('reads what Node reads', () => {
    const text = '\uFEFF# A board\r\nPORT=80 # low\r\n\r\nexport A="x y"\nB="one\ntwo\n\nthree"\n';
    expect(readEnvFile(aFile(text))).toEqual({ PORT: '80', A: 'x y', B: 'one\ntwo\n\nthree' });
    expect(readEnvFile(aFile(''))).toEqual({});
  });

  test.each([
    ['PORT=80\n\nBASE_URL https://a.example\n', 'line 3 of FILE is not a setting'],
    ['PORT 80\nA=1', 'line 1 of FILE is not a setting'],
    ['A PORT=80\n', 'FILE contains the invalid name "A PORT"'],
    [Buffer.from([0x41, 0x3d, 0xff, 0xfe]), 'FILE is not a text file'],
  ])('rejects %j', (content, message) => {
    const path = aFile(content);
    expect(() => readEnvFile(path)).toThrow(message.replace('FILE', path));
  });

  test('names a file that is missing, and one that is a folder', () => {
    const folder = aDataDir();
    mkdirSync(join(folder, 'sub'));
    expect(() => readEnvFile(join(folder, 'none'))).toThrow(`${join(folder, 'none')} does not`);
    expect(() => readEnvFile(join(folder, 'sub'))).toThrow(`${join(folder, 'sub')} is not a file`);
  });
});

describe('envFileOfNode()', () => {
  test.each([
    [['--env-file=/etc/a.env'], '/etc/a.env'],
    [['--no-warnings', '--env-file-if-exists', '/etc/a.env', '--trace-gc'], '/etc/a.env'],
    [['--env-file=/etc/a.env', '--env-file=/etc/b=c.env'], '/etc/b=c.env'],
    [['--env-files=/etc/a.env'], null],
    [[], null],
  ])('in %j is %j', (options, path) => {
    expect(envFileOfNode(options)).toBe(path && resolve(path));
  });

  test('is an absolute path', () => {
    expect(envFileOfNode(['--env-file=a.env'])).toBe(join(process.cwd(), 'a.env'));
  });
});
