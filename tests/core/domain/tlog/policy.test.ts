import { beforeAll, describe, expect, test } from 'vitest';
import { isQuorum, parsePolicy } from '#core/domain/tlog/policy.ts';
import { noteKey, vkeyOf } from '#core/domain/tlog/note-key.ts';
import { sha256 } from '#server/process/crypto.ts';
import {
  type TestLog,
  type TestWitness,
  aLogKey,
  aWitness,
} from '#tests/support/tlog/note-keys.ts';

const NAMES = ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'];
let log: TestLog;
let witnesses: TestWitness[];
/** The example of the standard. */
let example: string;

beforeAll(() => {
  log = aLogKey();
  witnesses = NAMES.map((name) => aWitness(name));
  const lines = witnesses.map(({ vkey }, at) => `witness ${NAMES[at]} ${vkey}`);
  example = `log ${log.vkey}

# X
${lines.slice(0, 3).join('\n')}
group X-witnesses 2 X1 X2 X3

${lines.slice(3).join('\n')}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;
});

const parse = (text: string) => parsePolicy(text, sha256);

describe('parsePolicy()', () => {
  test('reads the example of the standard', () => {
    const { logs, witnesses: known, quorum } = parse(example);

    expect(logs).toEqual([{ key: log.key, url: null }]);
    expect([...known.keys()]).toEqual(NAMES);
    expect(quorum).toMatchObject({ threshold: 2, members: [{ threshold: 2 }, { threshold: 1 }] });
  });

  test('accepts tabs, spaces at both ends, URLs, comments and names that are not ASCII', () => {
    const text = `\t# käse\n \nlog\t${log.vkey}  https://a.example/log \nwitness é ${witnesses[0]?.vkey} https://é.example/\nquorum é\n`;
    const policy = parse(text);

    expect(policy.logs[0]?.url).toBe('https://a.example/log');
    expect(policy.witnesses.get('é')?.url).toBe('https://é.example/');
  });

  test('requires no witness with the quorum none', () => {
    expect(isQuorum(parse('quorum none\n').quorum, new Set())).toBe(true);
  });

  test.each([
    ['no quorum', () => example.replace('quorum X-and-Y\n', ''), 'is missing', null],
    ['two quorums', () => `${example}quorum none\n`, 'only one', 16],
    ['a last line that was cut off', () => example.slice(0, -1), 'line feed', null],
    ['line ends of Windows', () => example.replaceAll('\n', '\r\n'), 'Control', 1],
    ['an unknown keyword', () => `logs x\n${example}`, 'begins with', 1],
    ['a word too many', () => example.replace('quorum X', 'quorum x X'), 'one name', 15],
    ['a log with two URLs', () => example.replace('\n', ' a b\n'), 'vkey and a URL', 1],
    ['a witness without a key', () => `witness w\n${example}`, 'A witness has', 1],
    ['a damaged key', () => example.replace(/(X1\+\w{8}\+)B/, '$1C'), 'unknown', 4],
    ['a group without members', () => `group g 1\n${example}`, 'A group has', 1],
    ['a threshold of 0', () => example.replace('es 2 X1', 'es 0 X1'), 'threshold', 7],
    ['a threshold above the members', () => example.replace('es 2 X1', 'es 4 X1'), 'threshold', 7],
    [
      'a threshold of a builtin',
      () => example.replace('es 2 X1', 'es toString X1'),
      'threshold',
      7,
    ],
    ['a member that comes later', () => `group g any X1\n${example}`, 'defines X1', 1],
    ['a member of two groups', () => example.replace('any Y1', 'any X1'), 'already', 12],
    ['a member twice', () => example.replace('any Y1', 'any Y2'), 'already', 12],
    ['the member none', () => example.replace('any Y1', 'any none'), 'defines none', 12],
    ['the name none', () => example.replace('witness X1', 'witness none'), 'taken', 4],
    ['a name twice', () => example.replace('group X-witnesses', 'group X1'), 'taken', 7],
    [
      'a witness key twice',
      () => example.replace('group', `witness z ${witnesses[0]?.vkey}\ngroup`),
      'same public key',
      7,
    ],
    ['a log key twice', () => `log ${log.vkey}\n${example}`, 'same public key', 2],
    ['the key of a witness for a log', () => `log ${witnesses[0]?.vkey}\n${example}`, 'type 4', 1],
    ['the key of a log for a witness', () => `witness w ${log.vkey}\n${example}`, 'type 1', 1],
    ['too many characters', () => `${'#\n'.repeat(600_000)}quorum none\n`, 'at most', null],
  ])('throws policy_invalid for %s', (_name, text, message, line) => {
    const expected = expect.objectContaining({
      code: 'policy_invalid',
      message: expect.stringMatching(message),
      line,
    });
    expect(() => parse(text())).toThrow(expected);
  });

  test('throws policy_invalid for too many witnesses and groups', () => {
    const keys = Array.from({ length: 257 }, (_, at) => {
      return vkeyOf(noteKey('w', 4, new Uint8Array(32).fill(at).with(0, at >> 8), sha256));
    });
    const lines = keys.map((vkey, at) => `witness w${at} ${vkey}\n`);

    expect(parse(`${lines.slice(0, 256).join('')}quorum none\n`).witnesses.size).toBe(256);
    expect(() => parse(`${lines.join('')}quorum none\n`)).toThrow('at most 256');
  });
});

describe('isQuorum()', () => {
  test.each([
    [[], false],
    [['X1', 'X2'], false],
    [['X1', 'Y1', 'Y2', 'Y3'], false],
    [['X1', 'X3', 'Y2'], true],
    [NAMES, true],
    [['X1', 'X3', 'unknown'], false],
  ])('of the example for %j is %s', (names, holds) => {
    expect(isQuorum(parse(example).quorum, new Set(names))).toBe(holds);
  });
});
