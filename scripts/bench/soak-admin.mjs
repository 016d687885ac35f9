// Admin commands during the soak test (../soak.mjs), while the server runs.
import { rm } from 'node:fs/promises';
import { runAdmin } from './lib.mjs';
import { codenameOf } from './seed.mjs';
import { keepDoing } from './paced.mjs';
import { addressOf } from './soak-client.mjs';
import { Person } from './soak-people.mjs';

/** Creates and uses login links, hides operators that no other client requests, and sometimes backs the board up. */
export async function keep(client, { dataDir, operators, random, ...soak }) {
  const board = { dataDir, url: client.url };
  const someone = () => codenameOf(Math.floor(random() * operators));
  const backup = `${dataDir}.backup`;
  await keepDoing(0.05, { ...soak, tally: client.tally }, async (turn) => {
    const person = new Person(client, { address: addressOf(random) });
    await person.visitByLink(await runAdmin(board, 'login-link', someone()));
    if (turn % 3 === 1) {
      const name = codenameOf(operators);
      await runAdmin(board, 'hide', name, '--reason', 'A test of the admin');
      await runAdmin(board, 'unhide', name, '--reason', 'The test is over');
    }
    if (turn % 6 === 2) await runAdmin(board, 'backup', backup, '--force');
  });
  await rm(backup, { force: true });
}
