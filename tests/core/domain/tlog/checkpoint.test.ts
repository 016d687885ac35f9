import { describe, expect, test } from 'vitest';
import { checkpointText, parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { SOFA } from '#tests/support/tlog/vectors.ts';

const { text } = parseNote(SOFA);

describe('parseCheckpoint()', () => {
  test('reads the example of the standard', () => {
    const checkpoint = parseCheckpoint(text);

    expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(checkpoint.root).toHaveLength(32);
    expect(checkpointText(checkpoint)).toBe(text);
  });

  test.each([
    ['no origin', text.replace(/^[^\n]+/, ''), 1],
    ['an origin that is too long', text.replace(/^/, 'a'.repeat(255)), 1],
    ['a leading zero', text.replace('2085', '02085'), 2],
    ['a sign', text.replace('2085', '+2085'), 2],
    ['no size', text.replace('20852163', ''), 2],
    ['an exponent', text.replace('20852163', '2e7'), 2],
    ['a size above 2^53-1', text.replace('20852163', '9007199254740992'), 2],
    ['a size of 400 digits', text.replace('20852163', '1'.repeat(400)), 2],
    ['a root of 31 bytes', text.replace(/[^\n]+=\n$/, `${'A'.repeat(42)}==\n`), 3],
    ['a root with other bits at the end', text.replace('q2I=', 'q2J='), 3],
    ['no line feed at the end', text.slice(0, -1), 4],
    ['an extension line', `${text}more\n`, 4],
  ])('throws checkpoint_invalid for %s', (_name, changed, line) => {
    const expected = expect.objectContaining({ code: 'checkpoint_invalid', line });
    expect(() => parseCheckpoint(changed)).toThrow(expected);
  });
});
