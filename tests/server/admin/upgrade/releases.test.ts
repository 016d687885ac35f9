import { describe, expect, test } from 'vitest';
import { readChecksums } from '#server/admin/upgrade/checksums.ts';
import { HEAD_BYTES, platformOf } from '#server/admin/upgrade/executable-format.ts';
import { notesSince } from '#server/admin/upgrade/release-notes.ts';
import { releasesIn } from '#server/admin/upgrade/releases.ts';
import { compareVersions, isVersion } from '#server/admin/upgrade/versions.ts';

const DIGEST = 'ab'.repeat(32);

describe('readChecksums()', () => {
  const read = (text: string) => [...readChecksums('S', Buffer.from(text))];

  test('returns the digests by name, as sha256sum writes them for text and binary files', () => {
    expect(read(`${DIGEST}  a-1.0+b_c\n${DIGEST} *b\n`)).toEqual([
      ['a-1.0+b_c', DIGEST],
      ['b', DIGEST],
    ]);
    expect(read(`${DIGEST}  a`)).toEqual([['a', DIGEST]]);
  });

  test.each([
    ['nothing', '', 1],
    ['a page', '<!doctype html>\n', 1],
    ['an empty line', `${DIGEST}  a\n\n${DIGEST}  b\n`, 2],
    ['a short digest', `${DIGEST.slice(1)}  a\n`, 1],
    ['a digest in capitals', `${DIGEST.toUpperCase()}  a\n`, 1],
    ['Windows line ends', `${DIGEST}  a\r\n`, 1],
    ['a path', `${DIGEST}  ../a\n`, 1],
    ['a folder', `${DIGEST}  a/b\n`, 1],
    ['a quoted name', `\\${DIGEST}  a\\nb\n`, 1],
    ['a hidden file', `${DIGEST}  .a\n`, 1],
    ['no name', `${DIGEST}  \n`, 1],
    ['the same name twice', `${DIGEST}  a\n${DIGEST}  b\n${DIGEST}  a\n`, 3],
  ])('rejects %s', (_, text, line) => {
    expect(() => read(text)).toThrow(`Line ${line} of S `);
  });
});

describe('compareVersions()', () => {
  // The example of the specification of semantic versioning, with more numbers.
  const ORDER = [
    '0.9.0',
    '1.0.0-0',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.2',
    '1.0.10',
    '1.2.0',
    '1.10.0',
    '10.0.0',
  ];

  test('sorts versions like semantic versioning', () => {
    const sorted = ORDER.toReversed().toSorted(compareVersions);
    const signs = ORDER.map((one) => ORDER.map((two) => Math.sign(compareVersions(one, two))));

    expect(sorted).toEqual(ORDER);
    expect(signs).toEqual(ORDER.map((_, at) => ORDER.map((__, other) => Math.sign(at - other))));
  });

  test.each(['1.0', '1.0.0.0', 'v1.0.0', '1.0.0-', '1.0.0-a..b', '01.0.0', '1.0.0+a', '1.0.0 '])(
    'does not accept %j',
    (text) => {
      expect(isVersion(text)).toBe(false);
      expect(() => compareVersions(text, '1.0.0')).toThrow('is not a version');
    },
  );
});

test('releasesIn() lists executables, the newest first, and no other files', () => {
  const names = [
    'opbench-board-1.3.0.tgz',
    'opbench-board-1.3.0-linux-x64-image.tar',
    'opbench-board-1.3.0-linux-x64',
    'opbench-board-1.10.0-linux-arm64',
    'opbench-board-1.4.0-rc-1.2-linux-x64',
    'opbench-board-latest-linux-x64',
    'opbench-1.9.0-linux-x64',
    'SHA256SUMS',
  ];

  const releases = releasesIn(new Map(names.map((name) => [name, DIGEST])));

  expect(releases.map(({ version, platform }) => [version, platform])).toEqual([
    ['1.10.0', 'linux-arm64'],
    ['1.4.0-rc-1.2', 'linux-x64'],
    ['1.3.0', 'linux-x64'],
  ]);
});

test('notesSince() returns the sections of newer versions', () => {
  const notes =
    '# Notes\n\n## Unreleased\n\nA\n\n## 1.3.0\n\nB\n\n### C\n\n## 1.2.1 (a date)\n\nD\n\n## 1.2.0\nE';
  expect(notesSince(notes, '1.2.0')).toEqual([
    { version: '1.3.0', text: 'B\n\n### C' },
    { version: '1.2.1', text: 'D' },
  ]);
  expect(notesSince('', '1.2.0')).toEqual([]);
  expect(notesSince('## 1.3.0', '1.2.0')).toEqual([{ version: '1.3.0', text: '' }]);
});

describe('platformOf()', () => {
  const head = (machine: number, start = '7f454c46020101') => {
    const bytes = Buffer.alloc(HEAD_BYTES);
    bytes.write(start, 'hex');
    bytes.writeUInt16LE(machine, 18);
    return bytes;
  };

  test.each([
    [head(62), 'linux-x64'],
    [head(183), 'linux-arm64'],
    [head(40), null],
    [head(62, '7f454c46010101'), null],
    [head(62, '7f454c46020201'), null],
    [head(62, '4d5a90'), null],
    [head(62).subarray(0, 19), null],
    [Buffer.from('#!/bin/sh\necho 1.3.0 1.3.0'), null],
  ])('of %o is %s', (bytes, platform) => {
    expect(platformOf(bytes)).toBe(platform);
  });
});
