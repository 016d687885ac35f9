import { describe, expect, test } from 'vitest';
import { answerConsent } from '#server/identity/provider/consent-request.ts';
import { continueSignIn } from '#server/identity/sign-in/continue-sign-in.ts';
import { endOtherSessions } from '#server/identity/sessions.ts';
import { revokeApplication } from '#server/identity/provider/revoke-application.ts';
import { CookieJar } from '#tests/support/pages/browser-cookies.ts';
import { type TestContext, anOperator, testContext } from '#tests/support/board/context.ts';
import {
  aLetInApplication,
  aPkce,
  ask,
  authorizePath,
  aSignedInBrowser,
  questionOf,
  register,
} from '#tests/support/http/provider.ts';
import { refusal } from '#tests/support/http/refusal.ts';

function liveContext(): TestContext {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  return ctx;
}

/** Arrives from an app; returns the first interaction. */
async function come(ctx: TestContext, jar: CookieJar): Promise<string> {
  const clientId = await register(ctx);
  const { challenge } = await aPkce();
  return questionOf(await ask(ctx, authorizePath({ clientId, challenge }), {}, jar));
}

const answering = (jar: CookieJar, uid: string) => {
  return { uid, cookieHeader: jar.header(`/login/interaction/${uid}`) };
};

/** Opens an interaction's page; returns the next interaction. */
async function goOn(ctx: TestContext, jar: CookieJar, uid: string, proof: string | null) {
  const { cookieHeader } = answering(jar, uid);
  const onward = await continueSignIn(ctx, { uid, proof }, { cookieHeader, userAgent: null });
  const headers = new Headers();
  onward?.cookies.forEach((cookie) => headers.append('Set-Cookie', cookie));
  jar.keep(headers);
  return onward?.location ?? '';
}

const proofIn = (location: string) => location.split('proof=')[1] ?? '';

/** A browser that is asked whether the app may act for its operator. */
async function askedInBrowser(ctx: TestContext, jar: CookieJar): Promise<string> {
  const login = await come(ctx, jar);
  const proof = proofIn(await goOn(ctx, jar, login, null));
  return questionOf(await ask(ctx, await goOn(ctx, jar, login, proof), {}, jar));
}

describe('connecting an app', () => {
  test('requires that the operator is still signed in', async () => {
    const ctx = liveContext();
    const ada = anOperator(ctx, 'ada');
    const jar = await aSignedInBrowser(ctx, ada);
    const uid = await askedInBrowser(ctx, jar);

    endOtherSessions(ctx, { operator_id: ada.id, session_id: 'another' } as never);
    const allowed = answerConsent(ctx, answering(jar, uid), 'approve');

    await expect(allowed).rejects.toEqual(refusal('interaction_expired'));
    expect(ctx.store.applications.ofOperator(ada.id)).toEqual([]);
    const denied = await answerConsent(ctx, answering(jar, uid), 'deny');
    expect(denied.href).toContain('/oauth/authorize/');
  });

  test('is possible only for the operator who was asked, not for another one who is signed in', async () => {
    const ctx = liveContext();
    const jar = await aSignedInBrowser(ctx, anOperator(ctx, 'ada'));
    const uid = await askedInBrowser(ctx, jar);

    const headers = new Headers({
      'Set-Cookie': await ctx.sessions.start(anOperator(ctx, 'eve').id),
    });
    jar.keep(headers);
    const allowed = answerConsent(ctx, answering(jar, uid), 'approve');

    await expect(allowed).rejects.toEqual(refusal('interaction_expired'));
  });

  test('after a sign-in for it also starts a session that can be seen and ended', async () => {
    const ctx = liveContext();
    const ada = anOperator(ctx, 'ada');
    const jar = new CookieJar();
    const login = await come(ctx, jar);
    const proof = await ctx.provider.interactions?.finishLogin(login, ada.public_id, ctx.now());

    const onward = await goOn(ctx, jar, login, proofIn(proof ?? ''));
    const uid = questionOf(await ask(ctx, onward, {}, jar));
    const sessions = ctx.store.sessions.ofOperator(ada.id);
    await answerConsent(ctx, answering(jar, uid), 'approve');

    expect(sessions).toHaveLength(1);
    const [application] = ctx.store.applications.ofOperator(ada.id);
    revokeApplication(ctx, ada.id, application?.id ?? '');
    expect(ctx.store.accountEvents.ofOperator(ada.id).slice(0, 2)).toMatchObject([
      { kind: 'application_shut_out', detail: 'Helper' },
      { kind: 'application_let_in', detail: 'Helper' },
    ]);
  });

  test('is not possible before the operator is asked', async () => {
    const ctx = liveContext();
    const { clientId, jar } = await aLetInApplication(ctx, anOperator(ctx, 'ada'));
    const { challenge } = await aPkce();
    const path = authorizePath({ clientId, challenge, over: { prompt: 'login' } });
    const login = questionOf(await ask(ctx, path, {}, jar));

    const allowed = answerConsent(ctx, answering(jar, login), 'approve');

    await expect(allowed).rejects.toEqual(refusal('interaction_expired'));
  });
});
