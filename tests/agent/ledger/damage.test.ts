import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TODAY, TOOL, aLedger, aResponse, aSighting } from '#tests/support/agent/ledger.ts';

const MARCH = 'claude-code.2026-03.1.rows';
const RESPONSES = [aResponse('a'), aResponse('b'), aResponse('c', { daysAgo: 40 })];
const OUTPUTS = { '2026-01-29': 100, [TODAY]: 200 };

async function filled() {
  const one = aLedger();
  await one.ledger.update([aSighting(RESPONSES)], TODAY);
  return one;
}

function outputs(folder: string) {
  const buckets = aLedger(folder).ledger.buckets();
  return Object.fromEntries(buckets.map(({ day, output }) => [day, output]));
}

/** A run that finds one more response. */
async function oneMore(folder: string, keys = ['d']) {
  const { ledger } = aLedger(folder);
  const told = keys.map((key) => aResponse(key));
  const { notes } = await ledger.update([aSighting(told)], TODAY);
  return { ledger, notes };
}

const cut = (path: string) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, -9));

describe('a damaged shard', () => {
  test.each([
    ['cut', cut],
    ['emptied', (path: string) => writeFileSync(path, '')],
    ['changed', (path: string) => writeFileSync(path, `${readFileSync(path, 'utf8')} `)],
    ['removed', (path: string) => rmSync(path)],
  ])('that was %s loses no count, and the next scan starts again', async (_, harm) => {
    const { folder, ledger } = await filled();
    harm(join(folder, MARCH));

    const { ledger: after, notes } = await oneMore(folder);
    const counted = outputs(folder);
    await aLedger(folder).ledger.update([aSighting([...RESPONSES, aResponse('d')])], TODAY);

    expect(notes).toEqual([
      'The responses of claude-code in 2026-03 could not be read from the ledger. Their daily counts were kept.',
    ]);
    expect(after.id).not.toBe(ledger.id);
    expect(counted).toEqual({ ...OUTPUTS, [TODAY]: 300 });
    expect(outputs(folder)).toEqual({ ...OUTPUTS, [TODAY]: 300 });
  });

  test('is renamed', async () => {
    const { folder } = await filled();
    cut(join(folder, MARCH));

    await oneMore(folder);

    expect(readdirSync(folder)).toContain(`${MARCH}.damaged`);
  });

  test('keeps carried-over counts of its days', async () => {
    const { folder, ledger } = await filled();
    const buckets = ledger.buckets().filter(({ day }) => day === TODAY);
    const untilMs = Date.parse(`${TODAY}T23:00:00Z`);
    const stated = buckets.map((bucket) => ({ ...bucket, output: 250, untilMs }));
    await ledger.carry('https://b.test', stated);
    cut(join(folder, MARCH));

    await oneMore(folder);
    expect(outputs(folder)).toEqual({ ...OUTPUTS, [TODAY]: 350 });
    await aLedger(folder).ledger.update([aSighting([...RESPONSES, aResponse('d')])], TODAY);

    expect(outputs(folder)).toEqual({ ...OUTPUTS, [TODAY]: 350 });
  });
});

describe('a damaged summary', () => {
  test.each([
    ['cut', cut, ' was damaged'],
    ['removed', (path: string) => rmSync(path), ' was missing'],
  ])('that was %s is rebuilt from the other files', async (_, harm, what) => {
    const { folder, ledger } = await filled();
    harm(join(folder, 'summary.json'));

    expect(outputs(folder)).toEqual(OUTPUTS);
    const { ledger: after, notes } = await oneMore(folder);

    expect(notes).toEqual([expect.stringContaining(what)]);
    expect(after.id).not.toBe(ledger.id);
    expect(after.run).toBeGreaterThan(1);
    expect(after.rulesOf(TOOL)).toBe(1);
    expect(outputs(folder)).toEqual({ ...OUTPUTS, [TODAY]: 300 });
    expect((await oneMore(folder, ['e'])).notes).toEqual([]);
  });

  test('is renamed', async () => {
    const { folder } = await filled();
    for (const key of ['d', 'e']) {
      cut(join(folder, 'summary.json'));
      await oneMore(folder, [key]);
    }

    const files = readdirSync(folder).filter((name) => name.includes('summary'));
    expect(files.sort()).toEqual([
      'summary.json',
      'summary.json.damaged',
      'summary.json.damaged-2',
    ]);
  });

  test('prevents a recount from dropping counts of deleted logs', async () => {
    const { folder } = await filled();
    rmSync(join(folder, 'summary.json'));

    const seen = { logs: { log: [TODAY, 1] as [string, number] }, isAll: true };
    const { ledger } = aLedger(folder);
    await ledger.update([aSighting([aResponse('d')], { rules: 2, seen, wholeFrom: TODAY })], TODAY);

    expect(outputs(folder)).toEqual({ ...OUTPUTS, [TODAY]: 300 });
  });
});

describe('a ledger of a newer version', () => {
  test.each(['summary.json', MARCH])('is not changed (%s)', async (file) => {
    const { folder } = await filled();
    if (file === MARCH) rmSync(join(folder, 'summary.json'));
    writeFileSync(join(folder, file), 'opbench-ledger 2 something else\n{}');
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

    const { ledger } = aLedger(folder);
    const { notes } = await ledger.update([aSighting([aResponse('d')])], TODAY);

    expect(ledger.blocked).toMatchObject({ hint: 'Run: opbench update' });
    expect(notes).toEqual([expect.stringContaining('Run: opbench update. This run counts')]);
    expect(ledger.buckets()).toMatchObject([{ day: TODAY, output: 100 }]);
    const after = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(after).toEqual(before);
  });
});
