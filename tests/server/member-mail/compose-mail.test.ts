/** What emails say, from the rule that makes them due to both parts of the text. */
import { describe, expect, test } from 'vitest';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { COMMAND } from '#server/process/admin-actions.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publish,
  publishAndKeep,
  submit,
} from '#tests/support/board/context.ts';
import { aMailScene } from '#tests/support/board/member-mail.ts';

/** The plain text in one line. */
const lineOf = (mail: { text: string } | undefined) => mail?.text.replaceAll(/\s+/g, ' ') ?? '';

/** Another operator with the days of the member, and this much output. */
async function aRival(ctx: TestContext, codename: string, output: number) {
  const device = await anEnrolledDevice(ctx, codename);
  await submit(ctx, device, bucketsOfDays(10, '2026-03-05', { output }));
}

describe('an email about records', () => {
  /** A member on a board whose first records are set now. */
  async function aRecordScene() {
    const scene = await aMailScene(['record']);
    scene.goTo('2026-03-16T08:00:00.000Z');
    return scene;
  }

  test('says that the member set one, and in which days', async () => {
    const { ctx, run } = await aRecordScene();

    const [mail, ...more] = await run(publishAndKeep(ctx));

    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^You set a new record on Test board: yield, /);
    expect(lineOf(mail)).toMatch(
      /Yield Record: [\d,.]+ 95% interval: [\d,.]+.* Operator: ada \(you\) Days: 15 Feb 2026 to 16 Mar 2026/,
    );
    expect(lineOf(mail)).toContain('the measured value lowered by its uncertainty');
    expect(mail?.html).toMatch(/<th scope="col"[^>]*>Operator<\/th>/);
    expect(mail?.html).toContain('ada (you)');
    expect(mail?.html).toContain('/hall-of-signal"');
  });

  test('names the operator who set it, once a day', async () => {
    const { ctx, run } = await aRecordScene();
    await aRival(ctx, 'grace', 1e6);
    await run(publishAndKeep(ctx));

    const mails = await run(publishAndKeep(ctx));

    expect(mails).toHaveLength(1);
    expect(lineOf(mails[0])).toMatch(/Operator: grace Days:/);
  });

  test('does not name an operator who is not on the board when it is sent', async () => {
    const { ctx, run } = await aRecordScene();
    await aRival(ctx, 'grace', 1e6);
    publishAndKeep(ctx);
    hideOperator(ctx, { kind: 'hide', name: 'grace', reason: 'Not true', by: COMMAND });

    const mails = await run(publishAndKeep(ctx));

    expect(lineOf(mails[0])).toContain('Operator: ada (you)');
    expect(mails.map((mail) => mail.text + mail.html).join()).not.toContain('grace');
  });
});

describe('an email about the end of a challenge', () => {
  async function aChallengeScene() {
    const scene = await aMailScene(['challenge']);
    const { ctx, goTo } = scene;
    createChallenge(
      ctx.store,
      {
        id: 'march',
        title: 'March & <b>more</b>',
        description: 'x',
        metric: 'yield',
        tool: null,
        first_day: '2026-03-15',
        last_day: '2026-03-18',
        eligibility: { active_days: 1, effective_days: 1, total_tokens: 1, output_tokens: 1 },
      },
      { ruleset: ctx.ruleset, now: ctx.now() },
    );
    const submitFor = async (codename: string | null, output: number) => {
      const device = codename === null ? scene.device : await anEnrolledDevice(ctx, codename);
      await submit(ctx, device, bucketsOfDays(3, '2026-03-15', { output }));
    };
    const end = async () => {
      goTo('2026-03-21T00:05:00.000Z');
      const mails = await scene.run(publishAndKeep(ctx));
      return mails.filter(({ subject }) => subject.endsWith('has ended'));
    };
    goTo('2026-03-18T20:00:00.000Z');
    return { ...scene, submitFor, end };
  }

  test('shows the final place of the member, with its range', async () => {
    const { submitFor, end } = await aChallengeScene();
    await submitFor('grace', 1e6);
    await submitFor(null, 30_000);

    const [mail, ...more] = await end();

    expect(more).toEqual([]);
    expect(mail?.subject).toBe('The challenge “March & <b>more</b>” has ended');
    expect(lineOf(mail)).toMatch(
      /The standings are final\. You are rank 2 of 2\. Yield Value: [\d,.]+ 95% interval: .+ Rank range: [12]–2 March/,
    );
    expect(lineOf(mail)).toContain('/challenges/march');
    expect(mail?.html).toContain('March &amp; &lt;b&gt;more&lt;/b&gt;</a>');
    expect(mail?.html).toMatch(/<th scope="col"[^>]*>Rank range<\/th>/);
    expect(mail?.text).not.toContain('grace');
  });

  test('says that the member is not in the standings', async () => {
    const { submitFor, end } = await aChallengeScene();
    await submitFor('grace', 30_000);

    const [mail] = await end();

    expect(lineOf(mail)).toContain('The standings are final. You are not in them.');
    expect(mail?.html).not.toContain('<table');
  });

  test('shows no place to a member who became private after the standings were final', async () => {
    const { ctx, id, submitFor, goTo, end } = await aChallengeScene();
    await submitFor(null, 30_000);
    goTo('2026-03-21T00:01:00.000Z');
    publishAndKeep(ctx);
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));

    const [mail] = await end();

    expect(lineOf(mail)).toContain('You are not in them.');
  });

  test('is not sent before the standings are final, or if it was canceled', async () => {
    const { ctx, run, goTo, submitFor, end } = await aChallengeScene();
    await submitFor(null, 30_000);
    goTo('2026-03-20T23:00:00.000Z');
    const early = await run(publish(ctx, ctx.clock.nowMs));
    cancelChallenge(ctx.store, { id: 'march', reason: 'No', now: ctx.now() });

    expect(early.filter(({ subject }) => subject.endsWith('has ended'))).toEqual([]);
    expect(await end()).toEqual([]);
  });
});
