/** Boards and browsers with passkeys. */
import type { Page } from 'playwright-core';
import { aFreePort } from '../http/free-port.ts';
import { startServer } from '../http/server.ts';

/** Gives the browser an authenticator that approves everything, and returns how many passkeys it has. */
export async function anAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const attach = async () => {
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return {
      count: async () => {
        const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
        return credentials.length;
      },
      detach: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    };
  };
  return { attach };
}

/** A board at an address where browsers allow passkeys. */
export async function aPasskeyServer() {
  const port = await aFreePort();
  const url = `http://localhost:${port}`;
  const server = await startServer({ env: { PORT: String(port), BASE_URL: url } });
  return { server, url };
}
