// Serves boards of invented operators with the built server, for screenshots and measurements.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBoard } from './bench/lib.mjs';
import { confirmationLink, invitationLink, unsubscribeLink } from './synthetic-links.mjs';
import { fillBoard, loginLink, openBoard, publishEarlier } from './synthetic-board.mjs';
import { STATES_ENV, openStates } from './synthetic-states.mjs';

/** A board that is served until `stop()`, which also deletes it. */
export async function serveSite({ states: hasStates = false, env = {}, ...people }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'opbench-site-'));
  const { ctx, states } = hasStates
    ? await openStates(dataDir)
    : { ctx: openBoard(dataDir), states: null };
  await fillBoard(ctx, people);
  publishEarlier(ctx);
  const given = { ...(hasStates ? STATES_ENV : {}), ...env };
  const server = await startBoard({ dataDir, env: given, isQuiet: true });
  const url = await server.url;
  const cookies = {};
  return {
    url,
    dataDir,
    ctx,
    states,
    cookieOf: (codename) => (cookies[codename] ??= cookieOf({ ctx, url }, codename)),
    /** A link that signs in a new operator. */
    newLoginLink: () => loginLink({ ctx, url }, `synthetic-new-${Date.now()}`, true),
    newInvitation: () => invitationLink({ ctx, url }, states.codenames.identified),
    newConfirmation: () => confirmationLink({ ctx, url }, states.codenames.mixed),
    newUnsubscribeLink: () => unsubscribeLink({ ctx, url }, states.codenames.mixed),
    async stop() {
      await server.stop();
      ctx.store.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** Serves a site while `use` runs. */
export async function withSite(options, use) {
  const site = await serveSite(options);
  try {
    await use(site);
  } finally {
    await site.stop();
  }
}

/** The session cookie of an operator who signs in. */
async function cookieOf({ ctx, url }, codename) {
  const { id } = ctx.store.operators.byCodename(codename);
  const setCookie = await ctx.sessions.start(id);
  const [name, value] = setCookie.split(';')[0].split(/=(.*)/s);
  return { name, value, url };
}
