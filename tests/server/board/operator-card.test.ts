import { expect, test } from 'vitest';
import { readOperatorCard } from '#server/board/badge.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { operatorCardOf } from '#components/operator/operator-card-words.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { publish, testContext } from '#tests/support/board/context.ts';
import { operatorCard } from '../../../src/charts/operator-card.ts';

const SITE = { name: 'Opbench', baseUrl: 'https://b.example' };

async function aScene() {
  const ctx = testContext();
  ['ada', 'bob', 'eve', 'zoe'].forEach((name, at) =>
    anActive(ctx, name, tenDays({ output: 20_000 - 1_000 * at })),
  );
  anActive(ctx, 'new', bucketsOfDays(1, '2026-03-09'));
  const idOf = (name: string) => ctx.store.operators.byCodename(name)?.id ?? 0;
  await updateProfile(ctx, idOf('eve'), { privacy_mode: 'private' });
  await updateProfile(ctx, idOf('zoe'), { privacy_mode: 'anonymous' });
  publish(ctx);
  const cardOf = (name: string) => {
    const facts = readOperatorCard(ctx, name);
    return facts && operatorCardOf(facts, SITE);
  };
  return cardOf;
}

test('the picture of an operator has rank, class and the number that ranks', async () => {
  const cardOf = await aScene();

  expect(cardOf('bob')).toMatchObject({
    board: 'Opbench',
    name: 'bob',
    rank: 'Rank 2 of 3',
    meaning: 'Conservative yield. Last 30 days, claude-code',
    address: 'b.example/operators/bob',
    day: '10 Mar 2026',
  });
  expect(cardOf('bob')?.value).toMatch(/^[\d,.]+$/);
});

test('an operator without a rank has a picture without one', async () => {
  const cardOf = await aScene();
  expect(cardOf('new')).toMatchObject({ rank: 'Not ranked yet', className: '' });
});

test.each(['eve', 'zoe', 'nobody', '<b>'])('%s has no picture', async (name) => {
  const cardOf = await aScene();
  expect(cardOf(name)).toBeNull();
});

test('long and strange names fit, and stay text', async () => {
  const cardOf = await aScene();
  const card = cardOf('ada');
  const name = `<b>${'\u{1f30a}'.repeat(40)}`;
  const { svg } = operatorCard({ ...(card as NonNullable<typeof card>), name }, COLOURS);

  expect(svg).toContain('&lt;b&gt;');
  expect(svg).not.toContain('<b>');
  expect(svg).not.toContain(name);
});

test('the mark of the class is drawn', async () => {
  const cardOf = await aScene();
  const card = cardOf('ada') as NonNullable<ReturnType<typeof cardOf>>;
  const { svg } = operatorCard({ ...card, tier: 'delta', className: 'Delta' }, COLOURS);

  expect(svg).toContain('<path d="M8 2v12');
  expect(svg).toContain('Delta');
});

const COLOURS = {
  surface: '#fff',
  surfaceSunk: '#eee',
  ink: '#111',
  inkSoft: '#555',
  line: '#ddd',
  lineStrong: '#888',
  accent: '#c30',
  warn: '#a60',
};
